import { hash } from 'node:crypto'
import { keccak256 } from 'viem'

/** Keccak-256, as Ethereum hashes: 32 bytes. */
export type Keccak = (bytes: Uint8Array) => Buffer

/** Hashes by viem, in JavaScript: runs everywhere and takes four to seven times as long as OpenSSL. */
export const portableKeccak: Keccak = (bytes) => Buffer.from(keccak256(bytes, 'bytes'))

/** Hashes by OpenSSL; undefined where Node brings one before 3.2, which does not know the name. */
export function nativeKeccak(name = 'keccak-256'): Keccak | undefined {
  const native: Keccak = (bytes) => hash(name, bytes, 'buffer')
  try {
    native(new Uint8Array())
    return native
  } catch {
    return undefined
  }
}

/** The fastest there is; both give the same answer for every input (keccak.test.ts). */
export const keccak: Keccak = nativeKeccak() ?? portableKeccak
