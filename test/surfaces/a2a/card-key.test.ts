import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { keptCardKey, readCardKey } from '../../../src/surfaces/a2a/card-key.ts'
import { cardKeyPem } from './a2a-service.ts'

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

describe('a card key that is kept', () => {
  let directory: string
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'card-key-'))
  })
  afterEach(() => rmSync(directory, { recursive: true }))

  it('is made once, readable by its owner alone, and the same after a restart', () => {
    const { kid } = keptCardKey(directory)
    expect(keptCardKey(directory).kid).toBe(kid)
    const [file, ...others] = readdirSync(directory)
    expect(others).toEqual([])
    expect(statSync(join(directory, file ?? '')).mode & 0o777).toBe(0o600)
    expect(readFileSync(join(directory, file ?? ''), 'utf8')).toContain('PRIVATE KEY')
  })

  it('stops the boot when its file is broken, rather than replacing it', () => {
    keptCardKey(directory)
    writeFileSync(join(directory, readdirSync(directory)[0] ?? ''), 'broken')
    expect(() => keptCardKey(directory)).toThrow('the card key')
  })

  it('stops the boot when the directory cannot be written', () => {
    expect(() => keptCardKey(join(directory, 'missing'))).toThrow()
  })
})
