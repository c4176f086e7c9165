/** The member states compiled for the check, found by the two letters of their prefix. */

import { compileVatFormat, type VatFormat } from './format.ts'
import type { MemberState } from './member-state.ts'
import { MEMBER_STATES } from './member-states.ts'

export interface VatState {
  readonly state: MemberState
  /** The structures by the length of the whole number; most lengths have none. */
  readonly byLength: readonly (readonly VatFormat[])[]
  /** The structures as the Commission prints them. */
  readonly displays: readonly string[]
  readonly passed: NationalResult
  readonly failed: NationalResult
}

/** Outcome of the state's own check-digit rule. */
export interface NationalResult {
  readonly algorithm: string
  readonly result: 'passed' | 'failed'
}

const NONE: readonly VatFormat[] = []
const LETTER_A = 0x41
const BY_LETTERS: readonly (VatState | undefined)[] = indexByLetters()

/** The state whose prefix consists of these two upper-case UTF-16 units. */
export function vatState(first: number, second: number): VatState | undefined {
  return BY_LETTERS[(first - LETTER_A) * 26 + second - LETTER_A]
}

function indexByLetters(): (VatState | undefined)[] {
  const table = new Array<VatState | undefined>(26 * 26).fill(undefined)
  for (const [prefix, state] of MEMBER_STATES) {
    table[(prefix.charCodeAt(0) - LETTER_A) * 26 + prefix.charCodeAt(1) - LETTER_A] = compileState(state)
  }
  return table
}

function compileState(state: MemberState): VatState {
  const formats = state.formats.map((shape) => compileVatFormat(state.prefix, shape))
  const { algorithm } = state.national
  return Object.freeze({
    state,
    byLength: groupByLength(formats),
    displays: Object.freeze(formats.map((format) => format.display)),
    passed: Object.freeze({ algorithm, result: 'passed' }),
    failed: Object.freeze({ algorithm, result: 'failed' }),
  })
}

function groupByLength(formats: readonly VatFormat[]): readonly (readonly VatFormat[])[] {
  const longest = Math.max(...formats.map(({ display }) => display.length))
  return Array.from({ length: longest + 1 }, (_, length) => {
    const fitting = formats.filter(({ display }) => display.length === length)
    return fitting.length > 0 ? fitting : NONE
  })
}
