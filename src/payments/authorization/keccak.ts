import { hash } from 'node:crypto'
import { keccak256 } from 'viem'

/** Keccak-256; returns 32 bytes. */
export type Keccak = (bytes: Uint8Array) => Buffer

/** Takes four to seven times as long as OpenSSL. */
export const portableKeccak: Keccak = (bytes) => Buffer.from(keccak256(bytes, 'bytes'))

/** Undefined before OpenSSL 3.2, which does not know the name. */
export function nativeKeccak(name = 'keccak-256'): Keccak | undefined {
  const native: Keccak = (bytes) => hash(name, bytes, 'buffer')
  try {
    native(new Uint8Array())
    return native
  } catch {
    return undefined
  }
}

/** Both give the same answer for every input (keccak.test.ts). */
export const keccak: Keccak = nativeKeccak() ?? portableKeccak
