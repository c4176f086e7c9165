/**
 * What stores hold must stay readable and the same: the expected bytes were made by another implementation (Go's
 * crypto/hmac and crypto/cipher), from RFC 5869 and the words of the docstrings alone.
 */
import { describe, expect, test } from 'vitest'
import { decrypt, encrypt } from '../../src/payments/secrets/aes-gcm.ts'
import { createKeyring } from '../../src/payments/secrets/keyring.ts'

const hex = (text: string) => Buffer.from(text, 'hex')

describe('what an earlier version stored', () => {
  test('has the same MAC', () => {
    const mac = createKeyring(Buffer.alloc(32, 1)).mac(
      'identifier',
      ...['one', '', 'three'].map((part) => Buffer.from(part)),
    )
    expect(mac).toEqual(hex('24ecaa390457b5b83aa5912e1679a7c4dcbea9ed13c38329fe1df45d326d2b6e'))
  })

  test.each([
    ['without a context', '030303030303030303030303b689945b729bfd77675b42dff286c6190b897401d9d3', undefined],
    [
      'with one',
      '030303030303030303030303b689945b729b4c8cd1a5023de5789ad812bb40207a0b',
      Buffer.from('context'),
    ],
  ])('opens if it was encrypted %s', (_, encrypted, context) => {
    expect(decrypt(Buffer.alloc(32, 2), hex(encrypted), context)?.toString()).toBe('stored')
  })
})

describe('encrypted bytes', () => {
  const key = Buffer.alloc(32, 2)

  test('of nothing open as nothing', () => {
    expect(decrypt(key, encrypt(key, Buffer.alloc(0)))).toEqual(Buffer.alloc(0))
  })

  test('whose nonce and tag share a byte are not opened', () => {
    let whole = encrypt(key, Buffer.alloc(0))
    while (whole[11] !== whole[12]) whole = encrypt(key, Buffer.alloc(0))
    expect(decrypt(key, Buffer.concat([whole.subarray(0, 12), whole.subarray(13)]))).toBeNull()
  })
})
