/** The order of members is part of the contract: under one ruleset a value always gives the same bytes. */
import type { HintCode, WarningCode } from './advice/hints.ts'

export const CHECK_TYPES = ['iban', 'eu-vat', 'pl-nip', 'pl-regon', 'pl-pesel', 'email'] as const

/** Also the skill id and the last path segment of the REST endpoint. */
export type CheckType = (typeof CHECK_TYPES)[number]

/** The closed list of `details.code`; "ok" exactly when the value is valid. */
export const VERDICT_CODES = [
  'ok',
  'empty',
  'label_prefix',
  'non_ascii',
  'invalid_character',
  'country_missing',
  'country_not_in_registry',
  'prefix_missing',
  'country_not_eu',
  'use_el_prefix',
  'gb_not_eu',
  'oss_ioss_number',
  'length',
  'check_digits_format',
  'structure',
  'format',
  'check_digits_out_of_range',
  'all_zero',
  'checksum',
  'checksum_impossible',
  'checksum_9',
  'checksum_14',
  'birth_date',
  'at_sign',
  'local_empty',
  'local_too_long',
  'local_not_dot_atom',
  'domain_empty',
  'domain_literal',
  'domain_label_length',
  'domain_label_chars',
  'domain_not_qualified',
  'domain_tld_numeric',
  'address_too_long',
] as const

export type VerdictCode = (typeof VERDICT_CODES)[number]

export type LayerState = 'passed' | 'failed' | 'not_checked' | 'not_applicable'

export interface Layers {
  readonly format: LayerState
  readonly checksum: LayerState
  readonly nationalCheck: LayerState
  readonly registry: 'not_checked'
}

export type NormalizationStep =
  | 'trimmed'
  | 'separators_removed'
  | 'uppercased'
  | 'prefix_removed'
  | 'domain_lowercased'

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
