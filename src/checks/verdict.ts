/** The order of members is part of the contract: under one ruleset a value always gives the same bytes. */
import { PROFILES } from './checks.ts'
import type { CodeOf, HintOf, Layers, NormalizationStep, WarningOf } from './profile.ts'

type Profiles = typeof PROFILES

/** Also the skill id and the last path segment of the REST endpoint. */
export type CheckType = keyof Profiles

export const CHECK_TYPES = Object.keys(PROFILES) as unknown as readonly [CheckType, ...CheckType[]]

/** "ok" exactly when the value is valid. */
export type VerdictCode = { [T in CheckType]: CodeOf<Profiles[T]> }[CheckType]
export type HintCode = { [T in CheckType]: HintOf<Profiles[T]> }[CheckType]
export type WarningCode = { [T in CheckType]: WarningOf<Profiles[T]> }[CheckType]

/** The closed list of `details.code`. */
export const VERDICT_CODES: readonly VerdictCode[] = [
  ...new Set(Object.values(PROFILES).flatMap(({ codes }) => Object.keys(codes) as VerdictCode[])),
]

/** `expected`: the one length, or the several, that would be right. */
export interface LengthFinding {
  readonly expected: number | readonly number[]
  readonly actual: number
}

/** Members every `details` object has; each check adds its own after them. */
export interface Details {
  readonly code: VerdictCode
  /** E.g. "iban:swift-r103". */
  readonly ruleset: string
  readonly normalization: readonly NormalizationStep[]
  readonly layers: Layers
  /** What this verdict does not say, e.g. "account existence". */
  readonly notChecked: readonly string[]
  readonly warnings: readonly WarningCode[]
  readonly hint?: HintCode
  readonly length?: LengthFinding
  /** Index of the wrong character in the value as sent, in code points from 0. */
  readonly position?: number
  /** Indices like `position` of characters that may be wrong. */
  readonly suspects?: readonly number[]
  /** Where the identifier stands in the value as sent, if something around it is to be cut off; `end` is exclusive. */
  readonly span?: { readonly start: number; readonly end: number }
  readonly [member: string]: unknown
}

export interface Verdict {
  readonly type: CheckType
  readonly valid: boolean
  /** The canonical form with U+2022 for every hidden character; null if invalid. */
  readonly normalized: string | null
  /** One English sentence: the finding, then the rule. */
  readonly reason: string
  readonly details: Details
}

/** Pure: no I/O, clock, environment or randomness. Throws for no string of up to 512 code points. */
export type Check = (value: string) => Verdict
