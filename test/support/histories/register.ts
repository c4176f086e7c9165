import type { PaymentRow, PaymentState } from '../../../src/ledger/payments/payment-row.ts'
import type { Operation } from '../linearizable.ts'

/** A row as far as its compare-and-set goes; leases are never given twice, so no two versions of a row are equal. */
export interface Version {
  readonly state: PaymentState
  readonly owner: string | null
  readonly leaseUntil: number
}

/** One call to the ledger, as a worker writes it down. */
export type Ask =
  | { readonly call: 'find' }
  | { readonly call: 'claim'; readonly version: Version }
  | { readonly call: 'move' | 'reclaim'; readonly seen: Version; readonly version: Version }

/** A line of a worker: a call begins, or its answer is there. `at` is nanoseconds of the machine's monotonic clock. */
export type Line =
  | { readonly id: string; readonly at: string; readonly key: string; readonly ask: Ask }
  | { readonly id: string; readonly at: string; readonly answer: string | null }

export const NO_ROW = '-'
export const textOf = (row: Version | PaymentRow | null): string =>
  row === null ? NO_ROW : `${row.state}/${row.owner}/${row.leaseUntil}`

/** What a ledger promises of each call on one key. */
function applied(ask: Ask, state: string): { state: string; answer: string } {
  switch (ask.call) {
    case 'find':
      return { state, answer: state }
    case 'claim': {
      const next = textOf(ask.version)
      return state === NO_ROW ? { state: next, answer: next } : { state, answer: `known ${state}` }
    }
    case 'move': {
      const next = textOf(ask.version)
      return state === textOf(ask.seen) ? { state: next, answer: next } : { state, answer: 'faster' }
    }
    case 'reclaim': {
      const next = textOf(ask.version)
      return state === textOf(ask.seen) ? { state: next, answer: next } : { state, answer: `known ${state}` }
    }
  }
}

/** The history of each key, from the lines of all workers; a call without an answer may have been made or not. */
export function historiesOf(lines: readonly Line[]): ReadonlyMap<string, Operation<string>[]> {
  const answers = new Map<string, { readonly at: number; readonly answer: string | null }>()
  for (const line of lines)
    if ('answer' in line) answers.set(line.id, { ...line, at: Number(BigInt(line.at)) })
  const histories = new Map<string, Operation<string>[]>()
  for (const line of lines) {
    if (!('ask' in line)) continue
    const { id, key, ask } = line
    const ended = answers.get(id)
    const isAnswered = ended !== undefined && ended.answer !== null
    const operation: Operation<string> = {
      name: `${id} ${ask.call}`,
      begin: Number(BigInt(line.at)),
      end: isAnswered ? ended.at : Number.POSITIVE_INFINITY,
      apply: (state) => applied(ask, state),
      ...(isAnswered ? { answer: ended.answer } : {}),
    }
    histories.set(key, [...(histories.get(key) ?? []), operation])
  }
  return histories
}
