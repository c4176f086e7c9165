import { sql } from 'kysely'

/**
 * The condition of the partial index of rows that are not at their end, to be joined by "and" with what is sought among
 * them. Spelled as the index is: with states bound as parameters, neither database takes it, and all payments are read.
 */
export const UNSETTLED = sql.raw<boolean>(
  "state in ('in_doubt', 'unconfirmed', 'refused', 'settling', 'claimed')",
)
