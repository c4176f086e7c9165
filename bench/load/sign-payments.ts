/** Buyers that sign EIP-3009 authorizations by the thousand. */
import { randomBytes } from 'node:crypto'
import { createRequire } from 'node:module'
import type { PaymentPayload, PaymentRequired } from '@x402/core/types'
import { domainSeparator, keccak256 } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'

/** The part of the library that is used here; it brings no types. */
interface Secp256k1 {
  ecdsaSign(digest: Uint8Array, key: Uint8Array): { readonly signature: Uint8Array; readonly recid: number }
}
const secp256k1 = createRequire(import.meta.url)('secp256k1/bindings.js') as Secp256k1

/** A signature over 32 bytes as the chain's contracts take it: r, s and v. */
export function signDigest(digest: Uint8Array, key: Buffer): `0x${string}` {
  const { signature, recid } = secp256k1.ecdsaSign(digest, key)
  return `0x${Buffer.from(signature).toString('hex')}${(27 + recid).toString(16)}`
}

export interface Buyer {
  readonly address: `0x${string}`
  readonly key: Buffer
}

/** Buyers with keys made from their numbers: on Base they have no money. */
export function buyersOf(count: number): readonly Buyer[] {
  return Array.from({ length: count }, (_, index) => {
    const hex = `0x${(0x10_000 + index).toString(16).padStart(64, '0')}` as const
    return { address: privateKeyToAddress(hex), key: Buffer.from(hex.slice(2), 'hex') }
  })
}

const TYPE = keccak256(
  Buffer.from(
    'TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)',
  ),
)

/** Signs the first of the offered terms, as the reference client does: with everything declared echoed. */
export function paymentSigner(required: PaymentRequired): (buyer: Buyer) => PaymentPayload {
  const [accepted] = required.accepts
  if (accepted === undefined) throw new Error('nothing offered')
  const { name, version } = accepted.extra as { name: string; version: string }
  const domain = domainSeparator({
    domain: { name, version, chainId: 8453, verifyingContract: accepted.asset as `0x${string}` },
  })
  return function sign({ address, key }) {
    const nonce = `0x${randomBytes(32).toString('hex')}` as const
    const validBefore = String(Math.floor(Date.now() / 1000) + accepted.maxTimeoutSeconds)
    const words = [address, accepted.payTo, accepted.amount, '0', validBefore, nonce].map(word)
    const struct = keccak256(Buffer.from(TYPE.slice(2) + words.join(''), 'hex'))
    const digest = keccak256(Buffer.from(`1901${domain.slice(2)}${struct.slice(2)}`, 'hex'), 'bytes')
    return {
      x402Version: 2,
      payload: {
        authorization: {
          from: address,
          to: accepted.payTo,
          value: accepted.amount,
          validAfter: '0',
          validBefore,
          nonce,
        },
        signature: signDigest(digest, key),
      },
      ...(required.extensions === undefined ? {} : { extensions: required.extensions }),
      resource: required.resource,
      accepted,
    }
  }
}

/** An address, number or 32 bytes as one ABI word in hex. */
function word(value: string): string {
  const hex = value.startsWith('0x') ? value.slice(2) : BigInt(value).toString(16)
  return hex.padStart(64, '0')
}
