import { PAYMENT_STATES, type PaymentState } from '../ledger.ts'

/**
 * States written into a statement, for conditions; throws for what is none, since a state may have come from a row.
 *
 * Many indexes hold the rows of certain states alone. SQLite looks at the value of a bound state to see which of them it
 * may use, and compiles the statement anew whenever another is bound, at ten times the cost of running it.
 */
export const stateLiterals = (...states: readonly PaymentState[]): string =>
  states
    .map((state) => {
      if (!PAYMENT_STATES.includes(state)) throw new Error('a row is in no state there is')
      return `'${state}'`
    })
    .join(', ')
