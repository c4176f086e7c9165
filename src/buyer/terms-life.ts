/** How long terms are paid by without asking again: a buyer may live for months, and the service may change them. */
export const TERMS_LIFE_MS = 600_000
