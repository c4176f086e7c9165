import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { newCardKey, readCardKey } from '../../../../src/surfaces/a2a/card/card-key.ts'
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
