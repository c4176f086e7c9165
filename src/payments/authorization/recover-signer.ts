import { createRequire } from 'node:module'
import { bytesToHex, type Hex } from 'viem'
import { recoverAddress } from 'viem/utils'
import { boundedCache } from '../../caches/bounded-cache.ts'
import { keccak } from './keccak.ts'

/**
 * Lower case; null if no key can have made the signature. @param digest - 32 bytes @param signature - r, s and v (27 or
 * 28), 65 bytes
 */
export type RecoverSigner = (digest: Uint8Array, signature: Uint8Array) => Promise<Hex | null>

/** The binding to libsecp256k1 in the package `secp256k1`, not its fallback in JavaScript. */
interface Secp256k1 {
  /** Uncompressed, 65 bytes; throws if the signature has no public key. */
  ecdsaRecover(signature: Uint8Array, recoveryId: number, digest: Uint8Array, compressed: false): Uint8Array
}

const RS_BYTES = 64
const FIRST_V = 27
/** An address is the last 20 of 32 bytes. */
const HASH_BYTES_BEFORE_ADDRESS = 12
/** Cached, because the same keys sign again: that of a payment channel signs each of its calls. */
const MOST_ADDRESSES = 10_000

/** Takes some thirty times as long. */
export const recoverPortably: RecoverSigner = async (digest, signature) => {
  try {
    const signer = await recoverAddress({ hash: bytesToHex(digest), signature: bytesToHex(signature) })
    return signer.toLowerCase() as Hex
  } catch {
    return null
  }
}

/** Undefined on a platform for which the package brings no binary. */
export function nativeRecovery(load: () => unknown = loadBinding): RecoverSigner | undefined {
  let library: Secp256k1
  try {
    library = load() as Secp256k1
  } catch {
    return undefined
  }
  const addresses = boundedCache<Hex>(MOST_ADDRESSES)
  const addressOf = (key: Uint8Array): Hex => {
    const name = Buffer.from(key.buffer, key.byteOffset, key.length).toString('latin1')
    const known = addresses.get(name)
    if (known !== undefined) return known
    const address: Hex = `0x${keccak(key.subarray(1)).toString('hex', HASH_BYTES_BEFORE_ADDRESS)}`
    addresses.set(name, address)
    return address
  }
  return async (digest, signature) => {
    try {
      const recoveryId = signature[RS_BYTES]! - FIRST_V
      return addressOf(library.ecdsaRecover(signature.subarray(0, RS_BYTES), recoveryId, digest, false))
    } catch {
      return null
    }
  }
}

// An optional dependency without types, so it is loaded by name.
const loadBinding = () => createRequire(import.meta.url)('secp256k1/bindings.js')

/** Both give the same answer for every input (recover-signer.test.ts). */
export function fastestRecovery(): RecoverSigner {
  return nativeRecovery() ?? recoverPortably
}
