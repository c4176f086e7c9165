import { PAYMENT_STATES, type PaymentState, UNCONFIRMED } from './payment-row.ts'

/**
 * States as literals for a condition; throws for any other text, since a state may come from a row.
 *
 * Not bound as parameters: many indexes are partial by state, so SQLite would recompile the statement for each other
 * value, at ten times the cost of running it.
 */
export const stateLiterals = (...states: readonly PaymentState[]): string =>
  states
    .map((state) => {
      if (!PAYMENT_STATES.includes(state)) throw new Error('unknown payment state')
      return state === 'in_doubt' ? `'${state}', '${UNCONFIRMED}'` : `'${state}'`
    })
    .join(', ')

/**
 * The condition of the partial index of unfinished rows, spelled as the index is: with any other spelling both databases
 * would read all payments. Join more conditions with "and".
 */
export const UNSETTLED = "state in ('in_doubt', 'unconfirmed', 'refused', 'settling', 'claimed')"
