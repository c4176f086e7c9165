import { PAYMENT_STATES, type PaymentState } from '../payment-row.ts'

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
      return `'${state}'`
    })
    .join(', ')
