/**
 * Builds a verdict in the fixed order of members.
 *
 * Everything constant is made once and frozen; what is built per call is the outer object, `details` and the masked
 * value. No function here takes a piece of the input, so none can leak one.
 */
import type { CharacterClass } from './character-class.ts'
import { stepNames } from './normalize.ts'
import type { CheckType, Details, LayerState, Layers, Verdict, VerdictCode } from './verdict.ts'

/** The constants of one check type. */
export interface Profile {
  readonly type: CheckType
  /** Identifier of the rule data. */
  readonly ruleset: string
  readonly notChecked: readonly string[]
  /** One sentence per code that this check can give. */
  readonly reasons: Partial<Readonly<Record<VerdictCode, string>>>
  /** Layers of the codes that fail later than the format. */
  readonly failedLayers: Partial<Readonly<Record<VerdictCode, Layers>>>
  /** Layers of every other failure. */
  readonly formatFailed: Layers
}

/** What a rejection may say beside its code. */
export interface Failure {
  readonly code: VerdictCode
  /** Overrides the profile's sentence, for one with safe numbers in it. */
  readonly reason?: string
  readonly hint?: string | undefined
  readonly length?: { readonly expected: number | readonly number[]; readonly actual: number }
  /** 0-based code point index in the caller's raw value. */
  readonly position?: number
  readonly characterClass?: CharacterClass
  /** Members of this check type alone. */
  readonly more?: Readonly<Record<string, unknown>>
}

export const NO_WARNINGS: readonly string[] = Object.freeze([])

export function layers(format: LayerState, checksum: LayerState, nationalCheck: LayerState): Layers {
  return Object.freeze({ format, checksum, nationalCheck, registry: 'not_checked' })
}

/** The verdict on a valid value; `details` starts with the common members. */
export function accepted(profile: Profile, normalized: string, details: Details): Verdict {
  return { type: profile.type, valid: true, normalized, reason: profile.reasons.ok!, details }
}

/** Codes of values that were refused as they came, before any normalisation. */
const UNTOUCHED: ReadonlySet<VerdictCode> = new Set(['label_prefix', 'invalid_character'])

/** The verdict on an invalid value, after the given normalisation steps. */
export function rejected(profile: Profile, steps: number, failure: Failure): Verdict {
  const { code } = failure
  const details: Record<string, unknown> & Details = {
    code,
    ruleset: profile.ruleset,
    normalization: stepNames(UNTOUCHED.has(code) ? 0 : steps),
    layers: profile.failedLayers[code] ?? profile.formatFailed,
    notChecked: profile.notChecked,
    warnings: NO_WARNINGS,
  }
  const members = details as Record<string, unknown>
  if (failure.hint !== undefined) members.hint = failure.hint
  if (failure.length !== undefined) members.length = failure.length
  if (failure.position !== undefined) members.position = failure.position
  if (failure.characterClass !== undefined) members.characterClass = failure.characterClass
  if (failure.more !== undefined) Object.assign(members, failure.more)
  const reason = failure.reason ?? profile.reasons[code]!
  return { type: profile.type, valid: false, normalized: null, reason, details }
}
