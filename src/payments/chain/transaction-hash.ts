import { WORD } from '../../values/hex.ts'

/** No transaction has it; a facilitator that names it has not looked. */
const ZERO = /^0x0+$/

/** In lower case; null for anything but a hash. */
export function transactionHashOf(named: unknown): string | null {
  const hash = typeof named === 'string' ? named.toLowerCase() : ''
  return WORD.test(hash) && !ZERO.test(hash) ? hash : null
}

/** Any other value may stand for one, even if it is no hash. */
export const isWithoutTransaction = (named: unknown): boolean =>
  named === undefined || named === null || named === ''
