import { type RawBuilder, sql } from 'kysely'
import type { PaymentState } from '../ledger.ts'

/**
 * A state written into the statement, for conditions.
 *
 * Many indexes hold the rows of certain states alone. SQLite looks at the value of a bound state to see which of them it
 * may use, and compiles the statement anew whenever another is bound, at ten times the cost of running it.
 */
export const stateLiteral = (state: PaymentState): RawBuilder<PaymentState> => sql.lit(state)
