import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { newReceiptKey, readFormerReceiptKey, readReceiptKey } from '../../src/receipts/receipt-key.ts'
import { createReceiptSigner, receiptIdentity } from '../../src/receipts/receipt-signer.ts'

const BASE_URL = 'https://checks.example'
describe('the receipt key', () => {
  it('that was just made can be read, and signs the same at every repetition', async () => {
    const pem = newReceiptKey()
    const [first, second] = [pem, pem].map((text) => createReceiptSigner(readReceiptKey(text), BASE_URL))
    expect(await second?.sign({ a: 1 })).toBe(await first?.sign({ a: 1 }))
    expect(createReceiptSigner(readReceiptKey(newReceiptKey()), BASE_URL).kid).not.toBe(first?.kid)
  })

  it('can be given as PEM or as JWK', () => {
    const { privateKey } = generateKeyPairSync('ed25519')
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
    const jwk = JSON.stringify(privateKey.export({ format: 'jwk' }))
    const kids = [pem, jwk].map((text) => createReceiptSigner(readReceiptKey(text), BASE_URL).kid)
    expect(new Set(kids).size).toBe(1)
  })

  it('is refused without being quoted when it is something else', () => {
    const other = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey
    const pem = other.export({ type: 'pkcs8', format: 'pem' }).toString()
    expect(() => readReceiptKey(pem)).toThrow('the receipt key must be an Ed25519 key')
    for (const text of ['', 'secret', '{"kty":"secret"}', '{']) {
      expect(() => readReceiptKey(text)).toThrow(/^the receipt key is neither a PEM nor a JWK private key$/)
    }
  })

  it('that signed before is published the same from its private and its public part', () => {
    const pem = newReceiptKey()
    const publicKey = createPublicKey(pem)
    const { kid, jwk } = createReceiptSigner(readReceiptKey(pem), BASE_URL)
    const texts = [
      pem,
      publicKey.export({ type: 'spki', format: 'pem' }).toString(),
      JSON.stringify(publicKey.export({ format: 'jwk' })),
    ]
    for (const text of texts)
      expect(receiptIdentity(readFormerReceiptKey(text), BASE_URL)).toMatchObject({ kid, jwk })
    for (const text of ['', 'secret', '{'])
      expect(() => readFormerReceiptKey(text)).toThrow(/^the former receipt key is neither/)
  })
})

describe('the name of the signer', () => {
  it.each([
    ['https://checks.example', 'did:web:checks.example'],
    ['https://checks.example:8443', 'did:web:checks.example%3A8443'],
    ['http://127.0.0.1:4021', 'did:web:127.0.0.1%3A4021'],
  ])('of %s is %s', (baseUrl, did) => {
    const signer = createReceiptSigner(readReceiptKey(newReceiptKey()), baseUrl)
    expect(signer.did).toBe(did)
    expect(signer.kid).toMatch(new RegExp(`^${did}#[\\w-]{8}$`))
    expect(signer.jwk.kid).toBe(signer.kid)
  })
})
