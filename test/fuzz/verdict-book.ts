import type { GivenVerdict } from './judge.ts'

/** Every verdict that was given, by the transaction it was given for. */
export interface VerdictBook {
  /** What is wrong with this one, by those before it. */
  note(given: GivenVerdict): string | null
  /** Transactions that verdicts were given for. */
  transactions(): ReadonlySet<string>
}

export function createVerdictBook(): VerdictBook {
  const given = new Map<string, string>()
  return {
    note({ transaction, verdict }) {
      const before = given.get(transaction)
      given.set(transaction, before ?? verdict)
      return before === undefined || before === verdict ? null : 'one payment bought two answers'
    },
    transactions: () => new Set(given.keys()),
  }
}
