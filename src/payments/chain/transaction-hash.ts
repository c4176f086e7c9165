import { WORD } from '../../hex.ts'

/** The hash that a facilitator names, in lower case; null for anything else. */
export function transactionHashOf(named: unknown): string | null {
  const hash = typeof named === 'string' ? named.toLowerCase() : ''
  return WORD.test(hash) ? hash : null
}

/** Whether a reply names no transaction; any other value may stand for one, even if it is not a hash. */
export const isWithoutTransaction = (named: unknown): boolean =>
  named === undefined || named === null || named === ''
