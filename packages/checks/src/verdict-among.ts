/** The order of members is part of the contract: under one ruleset a value always gives the same bytes. */
import type { CodeOf, HintOf, Layers, NormalizationStep, Profile, WarningOf } from './profile.ts'

/** `expected`: the one length, or the several, that would be right. */
export interface LengthFinding {
  readonly expected: number | readonly number[]
  readonly actual: number
}

export interface DetailsAmong<P extends Profile> {
  readonly code: P extends Profile ? CodeOf<P> : never
  /** E.g. "iban:swift-r103". */
  readonly ruleset: string
  readonly normalization: readonly NormalizationStep[]
  readonly layers: Layers
  readonly notChecked: readonly string[]
  readonly warnings: readonly (P extends Profile ? WarningOf<P> : never)[]
  readonly hint?: P extends Profile ? HintOf<P> : never
  readonly length?: LengthFinding
  /** Index of the wrong character in the value as sent, in code points from 0. */
  readonly position?: number
  /** Indices like `position` of characters that may be wrong. */
  readonly suspects?: readonly number[]
  /** Where the identifier stands in the value as sent, if something around it is to be cut off; `end` is exclusive. */
  readonly span?: { readonly start: number; readonly end: number }
  readonly [member: string]: unknown
}

export interface VerdictAmong<P extends Profile> {
  readonly type: P['type']
  readonly valid: boolean
  /** The canonical form with U+2022 for every hidden character; null if invalid. */
  readonly normalized: string | null
  readonly reason: string
  readonly details: DetailsAmong<P>
}
