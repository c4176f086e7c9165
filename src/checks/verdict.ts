/**
 * The result object of the specification, section 2.
 *
 * Member order is part of the contract: the same value gives the byte-identical result under one ruleset.
 */
import type { HintCode, WarningCode } from './hints.ts'

export const CHECK_TYPES = ['iban', 'eu-vat', 'pl-nip', 'pl-regon', 'pl-pesel', 'email'] as const

/** A check type is also the skill id and the last path segment of the REST endpoint. */
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
  /** No register is ever asked: the check is offline. */
  readonly registry: 'not_checked'
}

/** A normalisation step that was applied to the caller's string before it was judged. */
export type NormalizationStep =
  | 'trimmed'
  | 'separators_removed'
  | 'uppercased'
  | 'prefix_removed'
  | 'domain_lowercased'

/** A number of characters beside the number, or numbers, that would be right. */
export interface LengthFinding {
  readonly expected: number | readonly number[]
  readonly actual: number
}

/** Members every `details` object has; each check adds its own after them. */
export interface Details {
  readonly code: VerdictCode
  /** Identifier of the rule data, e.g. "iban:swift-r103". */
  readonly ruleset: string
  readonly normalization: readonly NormalizationStep[]
  readonly layers: Layers
  /** What this verdict does not say, e.g. "account existence". */
  readonly notChecked: readonly string[]
  readonly warnings: readonly WarningCode[]
  readonly hint?: HintCode
  readonly length?: LengthFinding
  /** Index of the offending character in the value as sent, in code points from 0. */
  readonly position?: number
  /** Indices like `position`: single swaps with the next character, or look-alikes, that would make the value fit. */
  readonly suspects?: readonly number[]
  readonly [member: string]: unknown
}

/** The five members are always present, in this order. */
export interface Verdict {
  readonly type: CheckType
  readonly valid: boolean
  /** Canonical shape with U+2022 for every hidden character; null when invalid. */
  readonly normalized: string | null
  /** One English sentence: the finding, then the rule, with safe numbers filled in. */
  readonly reason: string
  readonly details: Details
}

/**
 * A check turns a string into a verdict. Pure: no I/O, clock, environment or randomness; it never throws for any
 * string of up to 512 code points.
 */
export type Check = (value: string) => Verdict
