import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { newCardKey, readCardKey, readFormerCardKey } from '../../../../src/surfaces/a2a/card/card-key.ts'
import { cardKeyPem } from '../a2a-service.ts'

describe('a card key from configuration', () => {
  it('is the same from PEM and from JWK', () => {
    const pem = cardKeyPem()
    const jwk = JSON.stringify(createPrivateKey(pem).export({ format: 'jwk' }))
    expect(readCardKey(jwk).kid).toBe(readCardKey(pem).kid)
    expect(readCardKey(jwk).jwks).toEqual(readCardKey(pem).jwks)
  })

  it.each([
    ['nothing', ''],
    ['words', 'a secret that is no key'],
    ['a JWK of another kind', '{"kty":"oct","k":"c2VjcmV0"}'],
    [
      'an RSA key',
      generateKeyPairSync('rsa', { modulusLength: 2048 })
        .privateKey.export({ type: 'pkcs8', format: 'pem' })
        .toString(),
    ],
    [
      'another curve',
      generateKeyPairSync('ec', { namedCurve: 'P-384' })
        .privateKey.export({ type: 'pkcs8', format: 'pem' })
        .toString(),
    ],
  ])('is refused when it is %s, without being quoted', (_, text) => {
    expect(() => readCardKey(text)).toThrow(/^the card key /)
    expect(() => readCardKey(text)).not.toThrow(/secret|BEGIN/)
  })
})

describe('a new card key', () => {
  it('is one that can be read, and never the same', () => {
    expect(readCardKey(newCardKey()).kid).not.toBe(readCardKey(newCardKey()).kid)
  })
})

describe('a card key that signed before', () => {
  it('is published the same from its private and its public part, as PEM or JWK, and never whole', () => {
    const pem = newCardKey()
    const publicKey = createPublicKey(pem)
    const texts = [
      pem,
      publicKey.export({ type: 'spki', format: 'pem' }).toString(),
      JSON.stringify(publicKey.export({ format: 'jwk' })),
      JSON.stringify(createPrivateKey(pem).export({ format: 'jwk' })),
    ]
    const [published] = readCardKey(pem).jwks.keys
    for (const text of texts) expect(readFormerCardKey(text)).toEqual(published)
    expect(Object.keys(published ?? {})).not.toContain('d')
  })

  it.each([
    '',
    'a secret that is no key',
    '{"kty":"oct","k":"c2VjcmV0"}',
  ])('is refused unquoted when it is malformed', (text) => {
    expect(() => readFormerCardKey(text)).toThrow(
      /^the former card key is neither a PEM nor a JWK key of P-256$/,
    )
  })
})
