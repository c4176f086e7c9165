import { WORD } from '../../hex.ts'

/** The hash of a transaction as a facilitator names it, in lower case; null if it is anything else. */
export function transactionHashOf(named: unknown): string | null {
  const hash = typeof named === 'string' ? named.toLowerCase() : ''
  return WORD.test(hash) ? hash : null
}

/** Whether a reply names no transaction: what is there may be one even if it is not a hash. */
export const isWithoutTransaction = (named: unknown): boolean =>
  named === undefined || named === null || named === ''
