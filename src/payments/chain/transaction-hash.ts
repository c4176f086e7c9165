/** 32 bytes, lower-case hex. */
const HASH = /^0x[0-9a-f]{64}$/

/** The hash of a transaction as a facilitator names it, in lower case; null if it is anything else. */
export function transactionHashOf(named: unknown): string | null {
  const hash = typeof named === 'string' ? named.toLowerCase() : ''
  return HASH.test(hash) ? hash : null
}

/** Whether a reply names no transaction: what is there may be one even if it is not a hash. */
export const isWithoutTransaction = (named: unknown): boolean =>
  named === undefined || named === null || named === ''
