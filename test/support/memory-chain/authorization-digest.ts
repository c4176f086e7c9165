import { concatHex, type Hex, hashTypedData, isAddressEqual, numberToHex, recoverAddress } from 'viem'
import { TRANSFER_TYPES, tokenDomain } from './token-typed-data.ts'

/** The signed members of a cancellation (EIP-3009). */
const CANCEL_TYPES = {
  CancelAuthorization: [
    { name: 'authorizer', type: 'address' },
    { name: 'nonce', type: 'bytes32' },
  ],
} as const

/** The signed fields of an EIP-3009 transfer. */
export interface Authorization {
  readonly from: Hex
  readonly to: Hex
  /** Atomic units. */
  readonly value: bigint
  /** UTC seconds; valid strictly after. */
  readonly validAfter: bigint
  /** UTC seconds; valid strictly before. */
  readonly validBefore: bigint
  readonly nonce: Hex
}

/** A signature as the token's two overloads take it: its bytes, or v, r and s. */
export type SignatureArgs = readonly [Hex] | readonly [number, Hex, Hex]

const HALF_ORDER = 0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0n

/** EIP-712 digest of a transfer authorization (EIP-3009). */
export function transferDigest(token: Hex, message: Authorization): Hex {
  return hashTypedData({
    domain: tokenDomain(token),
    types: TRANSFER_TYPES,
    primaryType: 'TransferWithAuthorization',
    message,
  })
}

/** EIP-712 digest of a cancellation (EIP-3009). */
export function cancelDigest(token: Hex, authorizer: Hex, nonce: Hex): Hex {
  return hashTypedData({
    domain: tokenDomain(token),
    types: CANCEL_TYPES,
    primaryType: 'CancelAuthorization',
    message: { authorizer, nonce },
  })
}

/**
 * What is wrong with a plain account's signature, in the words of USDC's ECRecover; undefined if nothing is.
 *
 * Of the two signatures for one message only the one with the lower s is taken, with v of 27 or 28.
 */
export async function signatureFault(
  account: Hex,
  digest: Hex,
  args: SignatureArgs,
): Promise<string | undefined> {
  const signature =
    args.length === 1 ? args[0] : concatHex([args[1], args[2], numberToHex(args[0], { size: 1 })])
  if (signature.length !== 132) return 'ECRecover: invalid signature length'
  if (BigInt(`0x${signature.slice(66, 130)}`) > HALF_ORDER) return "ECRecover: invalid signature 's' value"
  if (!/(?:1b|1c)$/i.test(signature)) return "ECRecover: invalid signature 'v' value"
  const signer = await recoverAddress({ hash: digest, signature }).catch(() => undefined)
  if (signer === undefined) return 'ECRecover: invalid signature'
  return isAddressEqual(signer, account) ? undefined : 'FiatTokenV2: invalid signature'
}
