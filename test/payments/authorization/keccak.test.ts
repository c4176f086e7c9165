import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { keccak, nativeKeccak, portableKeccak } from '../../../src/payments/authorization/keccak.ts'

/** Keccak team, KeccakTestVectors, ShortMsgKAT_256 (Len = 0, 8, 16); not those of SHA-3, which pads otherwise. */
const VECTORS = [
  ['', 'c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'],
  ['cc', 'eead6dbfc7340a56caedc044696a168870549a6a7f6f56961e84a54bd9970b8a'],
  ['41fb', 'a8eaceda4d47b3281a795ad9e1ea2122b407baf9aabcb9e18b5717b7873537d2'],
] as const
const native = nativeKeccak()

it('the OpenSSL of this Node has Keccak-256', () => {
  expect(native).toBeDefined()
})

it('an OpenSSL without it leaves the portable one', () => {
  expect(nativeKeccak('keccak-of-no-openssl')).toBeUndefined()
})

describe.each([
  ['in use', keccak],
  ['portable', portableKeccak],
])('the hash that is %s', (_name, hash) => {
  it.each(VECTORS)('hashes "%s" as published', (message, digest) => {
    expect(hash(Buffer.from(message, 'hex')).toString('hex')).toBe(digest)
  })
})

it('native and portable hash alike', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 600 }), (bytes) => {
      expect(native?.(bytes)).toEqual(portableKeccak(bytes))
    }),
  )
})
