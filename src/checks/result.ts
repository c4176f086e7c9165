/** Builds verdicts in the fixed order of members. No function here takes the input, so none can leak a piece of it. */

import type { HintCode, WarningCode } from './advice/hints.ts'
import type { CharacterClass } from './text/character-class.ts'
import type { Labels } from './text/label-prefix.ts'
import { stepNames } from './text/normalize.ts'
import type {
  CheckType,
  Details,
  LayerState,
  Layers,
  LengthFinding,
  Verdict,
  VerdictCode,
} from './verdict.ts'

export interface Profile {
  readonly type: CheckType
  readonly ruleset: string
  readonly notChecked: readonly string[]
  readonly labels: Labels
  /** One sentence per code that this check can give; a failure with numbers in its sentence overrides it. */
  readonly reasons: Partial<Readonly<Record<VerdictCode, string>>>
  /** Layers of the codes that fail later than the format. */
  readonly failedLayers: Partial<Readonly<Record<VerdictCode, Layers>>>
  /** Layers of every other failure. */
  readonly formatFailed: Layers
}

export interface Failure {
  readonly code: VerdictCode
  readonly reason?: string
  readonly hint?: HintCode | undefined
  readonly length?: LengthFinding | undefined
  readonly position?: number | undefined
  readonly suspects?: readonly number[] | undefined
  readonly characterClass?: CharacterClass | undefined
  /** Members of `details` that only this check type has. */
  readonly more?: Readonly<Record<string, unknown>> | undefined
}

export const NO_WARNINGS: readonly WarningCode[] = Object.freeze([])

export function layers(format: LayerState, checksum: LayerState, nationalCheck: LayerState): Layers {
  return Object.freeze({ format, checksum, nationalCheck, registry: 'not_checked' })
}

/** `details` must start with the common members. */
export function accepted(profile: Profile, normalized: string, details: Details): Verdict {
  return { type: profile.type, valid: true, normalized, reason: profile.reasons.ok!, details }
}

/** Codes of values that are refused before any normalisation. */
const REFUSED_RAW: ReadonlySet<VerdictCode> = new Set(['label_prefix', 'invalid_character'])

/** `steps` are those of the value's normalisation. */
export function rejected(profile: Profile, steps: number, failure: Failure): Verdict {
  const { code, hint, length, position, suspects, characterClass, more } = failure
  const details: Record<string, unknown> & Details = {
    code,
    ruleset: profile.ruleset,
    normalization: stepNames(REFUSED_RAW.has(code) ? 0 : steps),
    layers: profile.failedLayers[code] ?? profile.formatFailed,
    notChecked: profile.notChecked,
    warnings: NO_WARNINGS,
  }
  const members: Record<string, unknown> = details
  if (hint !== undefined) members.hint = hint
  if (length !== undefined) members.length = length
  if (position !== undefined) members.position = position
  if (suspects !== undefined) members.suspects = suspects
  if (characterClass !== undefined) members.characterClass = characterClass
  if (more !== undefined) Object.assign(members, more)
  const reason = failure.reason ?? profile.reasons[code]!
  return { type: profile.type, valid: false, normalized: null, reason, details }
}
