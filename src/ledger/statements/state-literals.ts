import { PAYMENT_STATES, type PaymentState } from '../payment-row.ts'

/** The state of a row in doubt for which a facilitator says that it did nothing, as older replicas write it. */
export const UNCONFIRMED = 'unconfirmed'

/**
 * States as literals for a condition; throws for anything else, since a state may come from a row.
 *
 * Many indexes are partial by state. To see which of them it may use, SQLite looks at the value of a bound state and
 * recompiles the statement whenever another is bound, at ten times the cost of running it.
 */
export const stateLiterals = (...states: readonly PaymentState[]): string =>
  states
    .map((state) => {
      if (!PAYMENT_STATES.includes(state)) throw new Error('unknown payment state')
      return state === 'in_doubt' ? `'${state}', '${UNCONFIRMED}'` : `'${state}'`
    })
    .join(', ')

/**
 * The condition of the partial index of unfinished rows; join more conditions with "and". Spelled as the index is: with
 * states bound as parameters neither database uses it, and reads all payments.
 */
export const UNSETTLED = "state in ('in_doubt', 'unconfirmed', 'refused', 'settling', 'claimed')"
