import type { Hex } from 'viem'
import { ADDRESS, BYTES, WORD } from '../../values/hex.ts'
import { isObject } from '../../values/json.ts'

/** Addresses and nonce are lower-case. */
export interface Authorization {
  readonly from: Hex
  readonly to: Hex
  /** Atomic units. */
  readonly value: bigint
  /** UTC seconds. */
  readonly validAfter: bigint
  /** UTC seconds. */
  readonly validBefore: bigint
  /** 32 bytes. */
  readonly nonce: Hex
}

export interface SignedAuthorization {
  readonly authorization: Authorization
  /** Lower-case hex; 65 bytes for an ordinary account, any length for a contract wallet. */
  readonly signature: Hex
}

const DECIMAL = /^(?:0|[1-9][0-9]{0,77})$/
const UINT256_END = 1n << 256n
/** In hex characters: enough for a contract wallet's signature. */
const LONGEST_SIGNATURE = 16_384

/** Null if a member is missing or malformed. */
export function parseSignedAuthorization(payload: Record<string, unknown>): SignedAuthorization | null {
  const { authorization, signature } = payload
  if (!isObject(authorization)) return null
  const from = hex(authorization.from, ADDRESS)
  const to = hex(authorization.to, ADDRESS)
  const nonce = hex(authorization.nonce, WORD)
  const value = uint256(authorization.value)
  const validAfter = uint256(authorization.validAfter)
  const validBefore = uint256(authorization.validBefore)
  const signed =
    typeof signature === 'string' && signature.length <= LONGEST_SIGNATURE ? hex(signature, BYTES) : null
  if (from === null || to === null || nonce === null || signed === null) return null
  if (value === null || validAfter === null || validBefore === null) return null
  return { authorization: { from, to, value, validAfter, validBefore, nonce }, signature: signed }
}

function hex(text: unknown, form: RegExp): Hex | null {
  if (typeof text !== 'string') return null
  const lower = text.toLowerCase()
  return form.test(lower) ? (lower as Hex) : null
}

/** Canonical decimal text, or a whole number that JSON holds exactly. */
function uint256(member: unknown): bigint | null {
  if (typeof member === 'number') return Number.isSafeInteger(member) && member >= 0 ? BigInt(member) : null
  if (typeof member !== 'string' || !DECIMAL.test(member)) return null
  const parsed = BigInt(member)
  return parsed < UINT256_END ? parsed : null
}
