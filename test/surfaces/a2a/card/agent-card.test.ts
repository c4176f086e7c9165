/** The card as it is served, and its signature as others verify it. */

import { createHash, createPublicKey } from 'node:crypto'
import { type AgentCard, canonicalizeAgentCard, verifyAgentCardSignature } from '@a2a-js/sdk'
import { DefaultAgentCardResolver } from '@a2a-js/sdk/client'
import { ClientFactory as LegacyClientFactory } from 'a2a-sdk-03/client'
import { CHECK_TYPES } from 'format-checker-checks/verdict'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { checkNames } from '../../../../src/catalog/check-names.ts'
import type { SkillRegistry } from '../../../../src/catalog/skill.ts'
import { buildAgentCard, readCardIdentity } from '../../../../src/surfaces/a2a/card/agent-card.ts'
import { readCardKey } from '../../../../src/surfaces/a2a/card/card-key.ts'
import { CARD_PATHS } from '../../../../src/surfaces/a2a/card/card-routes.ts'
import { realRegistry } from '../../../support/registry.ts'
import { type Json, X402_V01, X402_V02 } from '../a2a-client.ts'
import { type A2aService, cardKeyPem, startA2aService } from '../a2a-service.ts'

let service: A2aService
let text: string
let card: Json
beforeAll(async () => {
  service = await startA2aService()
  text = await (await fetch(`${service.url}/.well-known/agent-card.json`)).text()
  card = JSON.parse(text)
})
afterAll(() => service.close())

/** The SDK's verifier with the published key set, asked for by the name and address in the signature. */
const verify = (candidate: unknown): Promise<void> =>
  verifyAgentCardSignature(async (kid, jku) => {
    expect(jku).toBe(`${service.url}/.well-known/jwks.json`)
    const jwk = service.key.jwks.keys.find((key) => key.kid === kid)
    if (jwk === undefined) throw new Error('unknown key')
    return { ...jwk }
  })(candidate as AgentCard)

describe('the card', () => {
  it('says where the money is not real, and how to ask for payment channels', async () => {
    const options = {
      ...{ identity: readCardIdentity(), registry: realRegistry(), baseUrl: service.url, version: '1' },
      ...{ key: service.key, offersAllSchemes: true, mark: 'SANDBOX', networkName: 'Base' },
    }
    expect(JSON.parse(String((await buildAgentCard(options)).body))).toMatchObject({
      name: 'Format Checker (SANDBOX)',
      description: expect.stringMatching(/^SANDBOX, .{1,290}$/),
    })
  })

  it('names its checks in 300 characters, or says how many they are', async () => {
    const registry = realRegistry()
    const [first, ...more] = registry.all
    const described = async (all: SkillRegistry['all']) => {
      const options = {
        ...{
          identity: readCardIdentity(),
          registry: { ...registry, all },
          baseUrl: service.url,
          version: '1',
        },
        ...{ key: service.key, offersAllSchemes: true, mark: 'SANDBOX', networkName: 'Base' },
      }
      return JSON.parse(String((await buildAgentCard(options)).body)).description
    }
    expect(await described([first])).toContain(`offline: ${first.name}. USD 0.001`)
    const many = Array.from({ length: 6 }, () => registry.all).flat()
    const counted = await described([first, ...many])
    expect(counted).toContain(`offline: ${many.length + 1} types, a skill each. USD 0.001`)
    const today = await described([first, ...more])
    const named = today.replace(/offline: .*?\. USD/, () => `offline: ${checkNames(registry.all)}. USD`)
    if (named.length <= 300) expect(today).toBe(named)
    for (const each of [counted, today]) expect(each.length).toBeLessThanOrEqual(300)
  })

  it('has the required members of 1.0', () => {
    expect(card).toMatchObject({
      name: 'Format Checker',
      description: expect.stringContaining('0.001'),
      version: '1.2.0',
      provider: { organization: expect.any(String), url: service.url },
      documentationUrl: `${service.url}/docs/a2a`,
      iconUrl: `${service.url}/icon.svg`,
      supportedInterfaces: [
        { url: `${service.url}/a2a`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
        { url: `${service.url}/a2a`, protocolBinding: 'JSONRPC', protocolVersion: '0.3' },
      ],
      capabilities: { streaming: false, pushNotifications: false, extendedAgentCard: false },
      defaultInputModes: ['application/json', 'text/plain'],
      defaultOutputModes: ['application/json', 'text/plain'],
    })
  })

  it('has the top-level members of 0.3 beside them', () => {
    expect(card).toMatchObject({
      url: `${service.url}/a2a`,
      preferredTransport: 'JSONRPC',
      protocolVersion: '0.3.0',
      additionalInterfaces: [{ url: `${service.url}/a2a`, transport: 'JSONRPC' }],
      supportsAuthenticatedExtendedCard: false,
    })
  })

  it('has one skill per check type, in order, each with its price and examples that order it', () => {
    expect(card.skills.map(({ id }: Json) => id)).toEqual(realRegistry().all.map(({ id }) => id))
    for (const skill of card.skills) {
      expect(skill).toMatchObject({
        name: expect.any(String),
        description: expect.stringContaining('USD 0.001'),
      })
      expect(skill.tags.length).toBeGreaterThan(0)
      expect(skill.examples).toHaveLength(2)
      expect(JSON.parse(skill.examples[1])).toMatchObject({
        skill: skill.id,
        input: { value: expect.any(String) },
      })
    }
  })

  it('declares both x402 extensions, requires neither, and claims no security scheme', () => {
    const { extensions } = card.capabilities
    expect(extensions.map(({ uri }: Json) => uri)).toEqual([X402_V02, X402_V01])
    for (const { required, params } of extensions) {
      expect(required).toBe(false)
      expect(JSON.stringify(params ?? {})).not.toMatch(/:\s*\d/)
    }
    for (const member of ['securitySchemes', 'securityRequirements', 'security'])
      expect(card).not.toHaveProperty(member)
  })

  it('is ASCII, under 20 kB, and names no placeholder host', () => {
    expect(text).toMatch(/^[\x20-\x7e]+$/)
    expect(text.length).toBeLessThan(20_000)
    expect(text).not.toContain('example.org')
  })

  it.each(CARD_PATHS)('is served at %s with a strong tag, an hour of cache, to any page', async (path) => {
    const response = await fetch(service.url + path)
    expect(await response.text()).toBe(text)
    expect(response.headers.get('content-type')).toBe('application/json')
    expect(response.headers.get('etag')).toMatch(/^"[^"]+"$/)
    expect(response.headers.get('cache-control')).toBe('public, max-age=3600')
    expect(response.headers.get('access-control-allow-origin')).toBe('*')
  })

  it.each(CARD_PATHS)('answers HEAD, 304 to its tag, and 405 to other methods at %s', async (path) => {
    const head = await fetch(service.url + path, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
    const etag = head.headers.get('etag') ?? ''
    const fresh = await fetch(service.url + path, { headers: { 'If-None-Match': etag } })
    expect([fresh.status, await fresh.text(), fresh.headers.get('etag')]).toEqual([304, '', etag])
    const stale = await fetch(service.url + path, { headers: { 'If-None-Match': '"other"' } })
    expect(stale.status).toBe(200)
    const post = await fetch(service.url + path, { method: 'POST' })
    expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
  })

  it('is another one for clients of version 1.0, so caches keep both', async () => {
    const { headers } = await fetch(`${service.url}${CARD_PATHS[0]}`)
    expect(headers.get('vary')?.split(', ')).toContain('A2A-Version')
  })

  it('is read by the resolvers of both SDKs', async () => {
    const resolved = await new DefaultAgentCardResolver().resolve(service.url)
    expect(resolved.supportedInterfaces[0]?.protocolVersion).toBe('1.0')
    expect(resolved.skills.map(({ id }) => id)).toEqual(CHECK_TYPES)
    await expect(new LegacyClientFactory().createFromUrl(service.url)).resolves.toBeDefined()
  })

  it('does not start with words that signers disagree on', async () => {
    const identity = { ...readCardIdentity(), name: 'Prüfer' }
    const key = readCardKey(cardKeyPem())
    const options = {
      identity,
      registry: realRegistry(),
      baseUrl: 'https://a.example',
      version: '1.0.0',
      key,
      ...{ offersAllSchemes: false, mark: null, networkName: 'Base' },
    }
    await expect(buildAgentCard(options)).rejects.toThrow('ASCII')
  })
})

describe('its signature', () => {
  // The SDK's verifier tells the console of every signature it refuses.
  beforeEach(() => void vi.spyOn(console, 'log').mockImplementation(() => {}))
  afterEach(() => vi.restoreAllMocks())

  it('is accepted by the SDK, on the card as it was served', async () => {
    await expect(verify(card)).resolves.toBeUndefined()
    expect(card.signatures).toHaveLength(1)
    const header = JSON.parse(Buffer.from(card.signatures[0].protected, 'base64url').toString())
    expect(header).toEqual({
      alg: 'ES256',
      kid: service.key.kid,
      typ: 'JOSE',
      jku: `${service.url}/.well-known/jwks.json`,
    })
  })

  it('is accepted after a client has taken the card through its own types', async () => {
    await expect(verify(await new DefaultAgentCardResolver().resolve(service.url))).resolves.toBeUndefined()
  })

  it('covers every member of 1.0: with one changed byte anywhere in them the card is refused', async () => {
    const {
      signatures,
      url,
      protocolVersion,
      preferredTransport,
      additionalInterfaces,
      supportsAuthenticatedExtendedCard,
      ...signed
    } = card
    const source = JSON.stringify(signed)
    const original = canonicalizeAgentCard(card)
    let refused = 0
    for (let at = 1; at < source.length; at += 97) {
      const byte = source[at] === 'a' ? 'b' : 'a'
      const changed = parse(source.slice(0, at) + byte + source.slice(at + 1))
      // A byte that only breaks the JSON, or spells the same card, changes nothing that was signed.
      if (changed === undefined || canonicalizeAgentCard(changed as AgentCard) === original) continue
      await expect(verify({ ...(changed as object), signatures })).rejects.toThrow()
      refused++
    }
    expect(refused).toBeGreaterThan(50)
  })

  it('is refused with one changed byte in itself, and under another key', async () => {
    const [signature] = card.signatures
    const flipped = signature.signature.startsWith('A') ? 'B' : 'A'
    const broken = { ...signature, signature: flipped + signature.signature.slice(1) }
    await expect(verify({ ...card, signatures: [broken] })).rejects.toThrow()
    const other = readCardKey(cardKeyPem())
    const withOther = verifyAgentCardSignature(async () => ({ ...other.jwks.keys[0] }) as never)
    await expect(withOther(card)).rejects.toThrow()
  })

  it('has a key published without its private half, named by its thumbprint', () => {
    const [jwk] = service.key.jwks.keys
    expect(Object.keys(jwk ?? {}).toSorted()).toEqual(['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y'])
    const { crv, kty, x, y } = jwk as Record<string, string>
    const thumbprint = createHash('sha256').update(JSON.stringify({ crv, kty, x, y })).digest('base64url')
    expect(jwk?.kid).toBe(thumbprint)
    expect(createPublicKey({ key: { ...jwk }, format: 'jwk' }).asymmetricKeyType).toBe('ec')
  })
})

function parse(source: string): unknown {
  try {
    return JSON.parse(source)
  } catch {
    return undefined
  }
}
