import type { Hex } from 'viem'
import { WORD } from './hex.ts'

/** The order of secp256k1 (SEC 2, version 2.0, section 2.4.1): a private key is a number from 1 to below it. */
const ORDER = 0xffffffff_ffffffff_ffffffff_fffffffe_baaedce6_af48a03b_bfd25e8c_d0364141n

export function isPrivateKey(text: string): text is Hex {
  if (!WORD.test(text)) return false
  const number = BigInt(text)
  return number > 0n && number < ORDER
}
