import { createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { formerPublicKeys, readFormerKeys } from '../../../src/app/keys/former-keys.ts'
import { newReceiptKey } from '../../../src/receipts/receipt-key.ts'
import { newCardKey, readCardKey } from '../../../src/surfaces/a2a/card/card-key.ts'

const baseUrl = 'https://checks.example'
const RULE = 'the former keys must be keys of P-256 or Ed25519, in PEM or as JWK, one after another'

/** A key whole and as its public part, as PEM and as JWK. */
function formsOf(pem: string): readonly string[] {
  const publicKey = createPublicKey(pem)
  return [
    pem,
    publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    JSON.stringify(publicKey.export({ format: 'jwk' })),
    JSON.stringify(createPrivateKey(pem).export({ format: 'jwk' })),
  ]
}

describe('keys that signed before', () => {
  test('are empty if none is given', () => {
    expect(readFormerKeys({ formerKeys: null }, baseUrl)).toEqual({ cardKeys: [], receipts: [] })
  })

  test('are distinguished by their curve, however many there are, and published by their public parts', () => {
    const [card, receipt] = [newCardKey(), newReceiptKey()]
    for (const between of ['\n', '', ' , '])
      for (const [at, form] of formsOf(card).entries()) {
        const text = [formsOf(receipt)[at], form, newCardKey()].join(between)
        const { cardKeys, receipts } = readFormerKeys({ formerKeys: text }, baseUrl)
        expect(cardKeys).toHaveLength(2)
        expect(cardKeys[0]).toEqual(readCardKey(card).jwks.keys[0])
        expect(receipts).toMatchObject([{ did: 'did:web:checks.example', jwk: { kty: 'OKP' } }])
        expect(JSON.stringify([cardKeys, receipts])).not.toContain('"d"')
      }
  })

  test('may have the parameters of their curve before them, as openssl writes them', () => {
    const parameters = '-----BEGIN EC PARAMETERS-----\nBggqhkjOPQMBBw==\n-----END EC PARAMETERS-----\n'
    expect(formerPublicKeys(parameters + newCardKey())).toHaveLength(1)
  })

  test.each([
    ['a text that is no key', 'a secret that is no key'],
    ['a key with something behind it', `${newCardKey()} secret`],
    ['a key cut short', newCardKey().slice(0, 90)],
    ['a symmetric key', '{"kty":"oct","k":"c2VjcmV0"}'],
    [
      'a key of another curve',
      generateKeyPairSync('ec', { namedCurve: 'P-384' })
        .publicKey.export({ type: 'spki', format: 'pem' })
        .toString(),
    ],
  ])('are refused unquoted where there is %s', (_what, text) => {
    expect(() => formerPublicKeys(text)).toThrow(new Error(RULE))
  })
})
