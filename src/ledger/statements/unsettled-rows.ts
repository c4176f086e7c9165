/**
 * The condition of the partial index of unfinished rows; join more conditions with "and". Spelled as the index is: with
 * states bound as parameters neither database uses it, and reads all payments.
 */
export const UNSETTLED = "state in ('in_doubt', 'unconfirmed', 'refused', 'settling', 'claimed')"
