import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { keptReceiptKey, readReceiptKey } from '../../../src/payments/extensions/receipt-key.ts'
import { createReceiptSigner } from '../../../src/payments/extensions/receipt-signer.ts'

const BASE_URL = 'https://checks.example'
const directories: string[] = []
const scratch = () => {
  const path = mkdtempSync(join(tmpdir(), 'receipt-key-'))
  directories.push(path)
  return path
}
afterEach(() => {
  for (const path of directories.splice(0)) rmSync(path, { recursive: true, force: true })
})

describe('the receipt key', () => {
  it('is made once, for its owner alone, and found again', () => {
    const directory = scratch()
    const first = createReceiptSigner(keptReceiptKey(directory), BASE_URL)
    expect(readdirSync(directory)).toEqual(['receipt-key.pem'])
    expect(statSync(join(directory, 'receipt-key.pem')).mode & 0o777).toBe(0o600)
    const second = createReceiptSigner(keptReceiptKey(directory), BASE_URL)
    expect(second.kid).toBe(first.kid)
    expect(second.sign({ a: 1 })).toBe(first.sign({ a: 1 }))
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
    expect(() => readReceiptKey(pem)).toThrow('the receipt key has to be an Ed25519 key')
    for (const text of ['', 'secret', '{"kty":"secret"}', '{']) {
      expect(() => readReceiptKey(text)).toThrow(/^the receipt key is neither a PEM nor a JWK private key$/)
    }
  })

  it('stays as it is in a directory where it cannot be read', () => {
    const directory = scratch()
    keptReceiptKey(directory)
    const path = join(directory, 'receipt-key.pem')
    const before = readFileSync(path, 'utf8')
    expect(() => keptReceiptKey(join(directory, 'missing'))).toThrow()
    expect(readFileSync(path, 'utf8')).toBe(before)
  })
})

describe('the name of the signer', () => {
  it.each([
    ['https://checks.example', 'did:web:checks.example'],
    ['https://checks.example:8443', 'did:web:checks.example%3A8443'],
    ['http://127.0.0.1:4021', 'did:web:127.0.0.1%3A4021'],
  ])('of %s is %s', (baseUrl, did) => {
    const signer = createReceiptSigner(generateKeyPairSync('ed25519').privateKey, baseUrl)
    expect(signer.did).toBe(did)
    expect(signer.kid).toMatch(new RegExp(`^${did}#[\\w-]{8}$`))
    expect(signer.jwk.kid).toBe(signer.kid)
  })
})
