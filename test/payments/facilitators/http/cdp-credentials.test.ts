import { createPublicKey, generateKeyPairSync, type KeyObject, verify } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { cdpCredentials } from '../../../../src/payments/facilitators/http/cdp-credentials.ts'
import type { FacilitatorPath } from '../../../../src/payments/facilitators/http/http-facilitator.ts'

const URL_OF_CDP = 'https://api.cdp.coinbase.com/platform/v2/x402'
const KEY_ID = 'organizations/1/apiKeys/2'
const NOW = 1_900_000_000_500

const KEYS: readonly [string, string, KeyObject][] = [
  ['ES256', 'sha256', generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey],
  ['EdDSA', '', generateKeyPairSync('ed25519').privateKey],
]

async function tokenFor(key: KeyObject, path: FacilitatorPath, url = URL_OF_CDP) {
  const { authorization = '' } = await cdpCredentials({ url, keyId: KEY_ID, key, now: () => NOW })(path)
  const [scheme, token = ''] = authorization.split(' ')
  const [header = '', claims = '', signature = ''] = token.split('.')
  const read = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString())
  return { scheme, header: read(header), claims: read(claims), content: `${header}.${claims}`, signature }
}

describe.each(KEYS)('a CDP token signed with %s', (alg, hash, key) => {
  test('verifies with the public key', async () => {
    const { scheme, header, content, signature } = await tokenFor(key, 'settle')
    expect(scheme).toBe('Bearer')
    expect(header).toMatchObject({ alg, kid: KEY_ID, typ: 'JWT' })
    expect(header.nonce).toMatch(/^[0-9a-f]{32}$/)
    const bytes = Buffer.from(signature, 'base64url')
    expect(bytes).toHaveLength(64)
    const publicKey = createPublicKey(key)
    const options = hash === '' ? publicKey : { key: publicKey, dsaEncoding: 'ieee-p1363' as const }
    expect(verify(hash === '' ? null : hash, Buffer.from(content), options, bytes)).toBe(true)
  })

  test.each([
    ['settle', 'POST api.cdp.coinbase.com/platform/v2/x402/settle'],
    ['verify', 'POST api.cdp.coinbase.com/platform/v2/x402/verify'],
    ['supported', 'GET api.cdp.coinbase.com/platform/v2/x402/supported'],
  ] as const)('is good for %s alone, for two minutes', async (path, uri) => {
    const { claims } = await tokenFor(key, path)
    expect(claims).toEqual({
      sub: KEY_ID,
      iss: 'cdp',
      aud: ['cdp_service'],
      uris: [uri],
      iat: 1_900_000_000,
      nbf: 1_900_000_000,
      exp: 1_900_000_120,
    })
  })

  test('has another nonce each time, and does not mind a slash at the end of the URL', async () => {
    const first = await tokenFor(key, 'settle')
    const second = await tokenFor(key, 'settle', `${URL_OF_CDP}/`)
    expect(second.header.nonce).not.toBe(first.header.nonce)
    expect(second.claims.uris).toEqual(first.claims.uris)
  })
})
