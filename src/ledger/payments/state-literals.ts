import { PAYMENT_STATES, type PaymentState } from './payment-row.ts'

/**
 * Throws for any other text, since a state may come from a row. Literal, because many indexes are partial by state:
 * SQLite would recompile for each bound value, at ten times the cost of the statement.
 */
export const stateLiterals = (...states: readonly PaymentState[]): string =>
  states
    .map((state) => {
      if (!PAYMENT_STATES.includes(state)) throw new Error('unknown payment state')
      return `'${state}'`
    })
    .join(', ')

/**
 * Spelled as the partial index of unfinished rows: with any other spelling both databases read all payments. Join
 * conditions with "and".
 */
export const UNSETTLED = "state in ('in_doubt', 'refused', 'settling', 'claimed')"
