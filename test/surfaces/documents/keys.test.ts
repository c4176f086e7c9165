import { createHash } from 'node:crypto'
import { type AgentCard, verifyAgentCardSignature } from '@a2a-js/sdk'
import { CHECK_TYPES } from 'format-checker-checks/verdict'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startTestService, type TestService } from '../../support/sandbox-service.ts'
import { jsonOf, textOf } from './published.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

describe('/.well-known/jwks.json', () => {
  it('holds public keys alone: the card’s and the receipts’', async () => {
    const { keys } = await jsonOf(service, '/.well-known/jwks.json')
    expect(keys).toEqual([
      expect.objectContaining({ kty: 'EC', crv: 'P-256', use: 'sig', alg: 'ES256' }),
      expect.objectContaining({ kty: 'OKP', crv: 'Ed25519', use: 'sig', alg: 'EdDSA' }),
    ])
    for (const key of keys) expect(key).not.toHaveProperty('d')
  })

  it('verifies the agent card as served, by the address and name in its signature', async () => {
    const { additionalInterfaces, preferredTransport, protocolVersion, url, ...card } = await jsonOf(
      service,
      '/.well-known/agent-card.json',
    )
    const { supportsAuthenticatedExtendedCard, ...signed } = card
    const asked: string[] = []
    const verify = verifyAgentCardSignature(async (kid, jku) => {
      asked.push(jku ?? '')
      const { keys } = (await (await fetch(jku ?? '')).json()) as { keys: { kid: string }[] }
      const key = keys.find((each) => each.kid === kid)
      if (key === undefined) throw new Error('no such key')
      return key
    })
    await verify(signed as AgentCard)
    expect(asked).toEqual([`${service.url}/.well-known/jwks.json`])
    // The package writes to the console what it then throws.
    const said = vi.spyOn(console, 'debug').mockReturnValue()
    await expect(verify({ ...signed, name: 'Another' } as AgentCard)).rejects.toThrow()
    said.mockRestore()
    expect([url, protocolVersion, preferredTransport]).toEqual([`${service.url}/a2a`, '0.3.0', 'JSONRPC'])
    expect([additionalInterfaces.length, supportsAuthenticatedExtendedCard]).toEqual([1, false])
  })
})

describe('/.well-known/did.json', () => {
  it('is the document of this host, with the key that the key set has under the same name', async () => {
    const document = await jsonOf(service, '/.well-known/did.json')
    const { keys } = await jsonOf(service, '/.well-known/jwks.json')
    expect(document.id).toBe(`did:web:127.0.0.1%3A${service.port}`)
    const [method, ...more] = document.verificationMethod
    expect(more).toEqual([])
    expect(document.assertionMethod).toEqual([method.id])
    expect(method).toMatchObject({ type: 'JsonWebKey2020', controller: document.id })
    const published = keys.find(({ kid }: { kid: string }) => kid === method.id)
    expect(published).toMatchObject(method.publicKeyJwk)
  })
})

describe('/.well-known/agent-skills', () => {
  it('indexes the pages by the digest of the bytes they are served as', async () => {
    const index = await jsonOf(service, '/.well-known/agent-skills/index.json')
    expect(index.$schema).toBe('https://schemas.agentskills.io/discovery/0.2.0/schema.json')
    expect(index.skills.map(({ name }: { name: string }) => name)).toEqual(CHECK_TYPES)
    for (const { name, type, description, url, digest } of index.skills) {
      const bytes = Buffer.from(await (await fetch(url)).arrayBuffer())
      expect(digest).toBe(`sha256:${createHash('sha256').update(bytes).digest('hex')}`)
      expect(type).toBe('skill-md')
      const page = bytes.toString()
      expect(page).toContain(`\nname: ${name}\n`)
      expect(page).toContain(`\ndescription: ${JSON.stringify(description)}\n`)
      expect(description.length).toBeLessThanOrEqual(1024)
      expect(page).not.toContain('BASE_URL')
      expect(page).toContain(`${service.url}/api/validate/${name}`)
    }
  })
})

describe('/.well-known/security.txt', () => {
  it('says whom to tell, and until when it holds', async () => {
    const text = await textOf(service, '/.well-known/security.txt')
    const fields = new Map(
      text
        .trim()
        .split('\n')
        .map((line) => line.split(': ') as [string, string]),
    )
    expect(fields.get('Canonical')).toBe(`${service.url}/.well-known/security.txt`)
    expect(fields.get('Contact')).toMatch(/^https?:/)
    const days = (Date.parse(fields.get('Expires') ?? '') - Date.now()) / 86_400_000
    expect(days).toBeGreaterThan(300)
    expect(days).toBeLessThan(366)
  })
})
