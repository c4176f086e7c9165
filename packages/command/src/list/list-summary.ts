import { printable } from '../../../../src/command-line/terminal-text.ts'
import { NOTHING_TO_BUY } from '../../../../src/lists/read-cell.ts'
import type { RowResult } from '../../../../src/lists/results.ts'
import { usdc } from '../../../../src/payments/networks/format-usdc.ts'
import type { Totals } from './journal.ts'

/** What a run did, for the summary at its end. */
export interface ListSummary {
  readonly checked: number
  readonly valid: number
  /** How many of them have the value of an earlier one; 0 of a list that was not read to its end. */
  readonly repeated: number
  /** Invalid ones by code. */
  readonly invalid: Readonly<Record<string, number>>
  /** Rows that were not sent, by code. */
  readonly skipped: Readonly<Record<string, number>>
  /** Atomic units on this list, earlier runs included. */
  readonly spent: string
  /** Atomic units of payments whose outcome is not certain. */
  readonly uncertain: string
}

export function createTally() {
  // A code comes from the service and may be "constructor" or "__proto__".
  const invalid = new Map<string, number>()
  const skipped = new Map<string, number>()
  let valid = 0
  const count = (counts: Map<string, number>, code: string) => counts.set(code, (counts.get(code) ?? 0) + 1)
  return {
    add(result: RowResult) {
      if (result.kind === 'skipped') count(skipped, result.code)
      else if (result.valid) valid += 1
      else count(invalid, result.code)
    },
    summary({
      spent,
      uncertain,
      repeated,
    }: Omit<Totals, 'refused'> & { readonly repeated: number }): ListSummary {
      const codes = Object.fromEntries(invalid)
      return {
        checked: valid + sumOf(codes),
        valid,
        repeated,
        invalid: codes,
        skipped: Object.fromEntries(skipped),
        spent: String(spent),
        uncertain: String(uncertain),
      }
    },
  }
}

export const sumOf = (counts: Readonly<Record<string, number>>): number =>
  Object.values(counts).reduce((total, count) => total + count, 0)

/** A buyer reads "n/a" as an empty cell. A pipeline asks for the value. */
const NOTHING_SAID: readonly string[] = [...NOTHING_TO_BUY, 'not_a_value']

/** Rows without a result that should have one. */
export const countFailures = ({ skipped }: ListSummary): number =>
  sumOf(skipped) - NOTHING_SAID.reduce((sum, code) => sum + (skipped[code] ?? 0), 0)

export function describeSummary(summary: ListSummary): string {
  const { checked, valid, repeated, invalid, skipped, spent, uncertain } = summary
  const once = repeated === 0 ? '' : `; ${repeated} repeated, checked once`
  return [
    `checked  ${checked}: ${valid} valid, ${sumOf(invalid)} invalid${breakdown(invalid)}${once}`,
    `skipped  ${sumOf(skipped)}${breakdown(skipped)}`,
    `spent    ${usdc(spent)}${uncertain === '0' ? '' : `, and ${usdc(uncertain)} in payments not yet certain`}`,
  ].join('\n')
}

export function breakdown(counts: Readonly<Record<string, number>>): string {
  const entries = Object.entries(counts).toSorted(([, a], [, b]) => b - a)
  return entries.length === 0
    ? ''
    : ` (${entries.map(([code, count]) => `${printable(code)} ${count}`).join(', ')})`
}
