/** Builds verdicts in the fixed order of members. No function here takes the input, so none can leak a piece of it. */

import type { ProvedSpan } from './advice/proof.ts'
import type { CodeOf, FactsOf, HintOf, Layers, NormalizationStep, Profile, WarningOf } from './profile.ts'
import { stepNames } from './text/normalize.ts'

export interface VerdictOf<P extends Profile> {
  readonly type: P['type']
  readonly valid: boolean
  readonly normalized: string | null
  readonly reason: string
  readonly details: DetailsOf<P>
}

type DetailsOf<P extends Profile> = {
  readonly code: CodeOf<P>
  readonly ruleset: string
  readonly normalization: readonly NormalizationStep[]
  readonly layers: Layers
  readonly notChecked: readonly string[]
  readonly warnings: readonly WarningOf<P>[]
  readonly hint?: HintOf<P>
} & FactsOf<P>

/** Members that several checks have, in the order of `details`. */
const SHARED_FACTS = ['length', 'position', 'suspects', 'characterClass'] as const
type SharedFact = (typeof SHARED_FACTS)[number]

export type FailureOf<P extends Profile> = {
  readonly code: Exclude<CodeOf<P>, 'ok'>
  readonly reason?: string
  readonly hint?: HintOf<P> | undefined
  readonly more?: Omit<FactsOf<P>, SharedFact | 'span'> | undefined
  /** A part of the value, offered only with what proves it. */
  readonly span?: ProvedSpan | undefined
} & { readonly [F in SharedFact & keyof P['facts']]?: FactsOf<P>[F] | undefined }

export const NO_WARNINGS: readonly never[] = Object.freeze([])

export interface FindingOf<P extends Profile> {
  readonly layers: Layers
  readonly warnings?: readonly WarningOf<P>[]
  /** If it is more than the profile says. */
  readonly notChecked?: readonly string[]
  readonly facts?: FactsOf<P>
  readonly more?: FactsOf<P> | undefined
}

/** `steps` are those of the value's normalisation. */
export function accepted<P extends Profile>(
  profile: P,
  steps: number,
  normalized: string,
  { layers, warnings = NO_WARNINGS, notChecked = profile.notChecked, facts, more }: NoInfer<FindingOf<P>>,
): VerdictOf<P> {
  const { ruleset } = profile
  const common = {
    code: 'ok',
    ruleset,
    normalization: stepNames(steps),
    layers,
    notChecked,
    warnings,
  } as const
  const details = { ...common, ...facts, ...more } as DetailsOf<P>
  return { type: profile.type, valid: true, normalized, reason: profile.reasons.ok, details }
}

/** Codes of values that are refused before any normalisation. */
const REFUSED_RAW: ReadonlySet<string> = new Set(['label_prefix', 'invalid_character'])

export function rejected<P extends Profile>(
  profile: P,
  steps: number,
  failure: NoInfer<FailureOf<P>>,
): VerdictOf<P> {
  const { code, hint, more } = failure
  const details: Record<string, unknown> = {
    code,
    ruleset: profile.ruleset,
    normalization: stepNames(REFUSED_RAW.has(code) ? 0 : steps),
    layers: profile.failedLayers[code] ?? profile.formatFailed,
    notChecked: profile.notChecked,
    warnings: NO_WARNINGS,
  }
  if (hint !== undefined) details.hint = hint
  const found: Readonly<Record<string, unknown>> = failure
  for (const name of SHARED_FACTS) if (found[name] !== undefined) details[name] = found[name]
  if (failure.span !== undefined) details.span = { start: failure.span.start, end: failure.span.end }
  if (more !== undefined) Object.assign(details, more)
  const reason = failure.reason ?? profile.reasons[code] ?? null
  if (reason === null) throw new Error(`${profile.type}: a failure of ${code} says no reason`)
  return {
    type: profile.type,
    valid: false,
    normalized: null,
    reason,
    details: details as unknown as DetailsOf<P>,
  }
}
