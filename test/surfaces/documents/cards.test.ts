/**
 * The MCP server card and the registry entry, held against what their published schemas ask for: the server card schema
 * v1 (SEP-2127) and the registry's server.json schema of 2025-12-11.
 */
import { readFileSync } from 'node:fs'
import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { registryEntry, registryText } from '../../../scripts/registry-entry.ts'
import { VERSION } from '../../../src/files/version.ts'
import { registryName } from '../../../src/surfaces/documents/catalogs/server-card.ts'
import { descriptionLinks } from '../../../src/surfaces/documents/web/link-header.ts'
import { startTestService, type TestService } from '../../support/sandbox-service.ts'
import { jsonOf, textOf } from './published.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

const text = (maxLength: number) => ({ type: 'string', minLength: 1, maxLength })
const url = { type: 'string', pattern: '^https?://[^\\s]+$' }

/** Positional with a value or a hint, or named. */
const ARGUMENT = {
  type: 'object',
  required: ['type'],
  properties: {
    type: { enum: ['positional', 'named'] },
    name: { type: 'string' },
    value: { type: 'string' },
  },
  additionalProperties: false,
  if: { type: 'object', properties: { type: { const: 'named' } } },
  // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
  then: { required: ['name'] },
  else: { required: ['value'] },
}

/** What both schemas ask for. */
const SERVER = {
  type: 'object',
  required: ['$schema', 'name', 'description', 'version'],
  properties: {
    $schema: url,
    name: { ...text(200), minLength: 3, pattern: '^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$' },
    title: text(100),
    description: text(100),
    version: { ...text(255), pattern: '^\\d+\\.\\d+\\.\\d+$' },
    websiteUrl: url,
    icons: {
      type: 'array',
      items: {
        type: 'object',
        required: ['src'],
        properties: {
          src: { ...url, maxLength: 255 },
          mimeType: { enum: ['image/png', 'image/jpeg', 'image/jpg', 'image/svg+xml', 'image/webp'] },
          sizes: { type: 'array', items: { type: 'string', pattern: '^(\\d+x\\d+|any)$' } },
        },
      },
    },
    remotes: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['type', 'url'],
        properties: {
          type: { enum: ['streamable-http', 'sse'] },
          url,
          supportedProtocolVersions: { type: 'array', items: { type: 'string' } },
        },
        additionalProperties: false,
      },
    },
    packages: {
      type: 'array',
      items: {
        type: 'object',
        required: ['registryType', 'identifier', 'transport'],
        properties: {
          registryType: { type: 'string' },
          identifier: { type: 'string' },
          version: { type: 'string', minLength: 1, not: { const: 'latest' } },
          runtimeHint: { type: 'string' },
          transport: { type: 'object', required: ['type'], properties: { type: { const: 'stdio' } } },
          packageArguments: { type: 'array', items: ARGUMENT },
          environmentVariables: {
            type: 'array',
            items: {
              type: 'object',
              required: ['name'],
              properties: {
                name: { type: 'string' },
                description: { type: 'string' },
                format: { enum: ['string', 'number', 'boolean', 'filepath'] },
              },
            },
          },
        },
        additionalProperties: false,
      },
    },
    _meta: {
      type: 'object',
      properties: { 'io.modelcontextprotocol.registry/publisher-provided': { type: 'object' } },
    },
  },
}
const isServer = new Ajv2020({ strict: true, strictRequired: false }).compile(SERVER)

/** A draft, and the revision that asks for batches. */
const NOT_OFFERED = ['2024-10-07', '2025-03-26']

describe('the server card', () => {
  it('is what the proposal asks for, with what older readers look for beside it', async () => {
    const card = await jsonOf(service, '/.well-known/mcp/server-card.json')
    expect(isServer(card), JSON.stringify(isServer.errors)).toBe(true)
    expect(card.$schema).toBe('https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json')
    expect(card.remotes).toEqual([
      {
        type: 'streamable-http',
        url: `${service.url}/mcp`,
        supportedProtocolVersions: [
          '2026-07-28',
          ...SUPPORTED_PROTOCOL_VERSIONS.filter((version) => !NOT_OFFERED.includes(version)),
        ],
      },
    ])
    expect(card).toMatchObject({
      serverInfo: { name: 'format-checker', version: '1.2.0' },
      transport: { type: 'streamable-http', url: `${service.url}/mcp` },
      authentication: { required: false },
      prompts: [],
    })
  })

  it('is the same at each of its addresses', async () => {
    const card = await textOf(service, '/mcp/server-card')
    expect(await textOf(service, '/.well-known/mcp/server-card.json')).toBe(card)
    expect(await textOf(service, '/.well-known/mcp.json')).toBe(card)
  })

  it('says what the running server says', async () => {
    const card = await jsonOf(service, '/.well-known/mcp.json')
    const ask = async (method: string, params: object = {}) => {
      const response = await fetch(`${service.url}/mcp`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      })
      // biome-ignore lint/suspicious/noExplicitAny: what came over the wire is looked at member by member
      return ((await response.json()) as any).result
    }
    const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } }
    const { serverInfo, capabilities } = await ask('initialize', hello)
    expect(serverInfo).toMatchObject(card.serverInfo)
    expect(capabilities).toMatchObject(card.capabilities)
    expect((await ask('tools/list')).tools).toEqual(card.tools)
    const { resources } = await ask('resources/list')
    expect(resources.map(({ uri }: { uri: string }) => uri)).toEqual(card.resources)
    const read = await ask('resources/read', { uri: `${service.url}/llms-full.txt` })
    expect(read.contents[0].text).toBe(await textOf(service, '/llms-full.txt'))
  })
})

describe('server.json', () => {
  const committed = readFileSync(new URL('../../../server.json', import.meta.url), 'utf8')

  it('is the one that the service’s own facts make, for the address and the package of its operator', () => {
    const { websiteUrl, packages = [] } = JSON.parse(committed)
    const [published] = packages.map((own: Record<string, string>) => `${own.identifier}@${own.version}`)
    const { origin: baseUrl } = new URL(websiteUrl)
    expect(committed).toBe(registryText({ baseUrl, version: VERSION, published }))
  })

  it('is what the registry takes', () => {
    const entry = JSON.parse(committed)
    expect(isServer(entry), JSON.stringify(isServer.errors)).toBe(true)
    expect(entry.$schema).toBe('https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json')
    expect(committed.length).toBeLessThan(4096)
  })

  it('names the package only once it is published, and then as the registry takes it', () => {
    const options = { baseUrl: 'https://checks.example', version: VERSION }
    expect(registryEntry(options)).not.toHaveProperty('packages')
    const entry = registryEntry({ ...options, published: `@owner/format-checker@${VERSION}` })
    expect(entry.packages).toMatchObject([{ identifier: '@owner/format-checker', version: VERSION }])
    expect(isServer(entry), JSON.stringify(isServer.errors)).toBe(true)
  })

  it.each([
    ['https://checks.example', 'example.checks/format-checker'],
    ['https://api.checks.example:8443', 'example.checks.api/format-checker'],
    ['http://127.0.0.1:4021', '1.0.0.127/format-checker'],
    ['http://[::1]:4021', '1/format-checker'],
  ])('is named after the host of %s', (baseUrl, name) => {
    expect(registryName(baseUrl)).toBe(name)
  })
})

describe('/.well-known/api-catalog', () => {
  it('answers HEAD with a link of its own relation (RFC 9727, section 2)', async () => {
    const path = '/.well-known/api-catalog'
    const { headers } = await fetch(`${service.url}${path}`, { method: 'HEAD' })
    expect(headers.get('link')).toBe(`<${service.url}${path}>; rel="api-catalog"`)
  })

  it('is a set of links to the description of each interface', async () => {
    const { linkset } = await jsonOf(service, '/.well-known/api-catalog')
    expect(linkset).toHaveLength(3)
    for (const context of linkset) {
      expect(context.anchor).toMatch(/^http/)
      expect(context['service-desc']).toHaveLength(1)
      expect(context['service-doc']).toHaveLength(1)
    }
  })
})

describe('/.well-known/ai-catalog.json', () => {
  it('names both cards of this host, each at its address, and repeats nothing of them', async () => {
    const { specVersion, host, entries, ...others } = await jsonOf(service, '/.well-known/ai-catalog.json')
    expect([specVersion, host.displayName, others]).toEqual(['1.0', 'Format Checker', {}])
    const did = await jsonOf(service, '/.well-known/did.json')
    expect(host.identifier).toBe(did.id)
    expect(entries.map(({ type }: { type: string }) => type)).toEqual([
      'application/a2a-agent-card+json',
      'application/mcp-server-card+json',
    ])
    for (const { identifier, type, url, ...rest } of entries) {
      expect(identifier).toMatch(/^urn:air:[\w.]+:(?:a2a|mcp):format-checker$/)
      expect(rest).toEqual({})
      const response = await fetch(url)
      expect(response.status).toBe(200)
      if (type.includes('mcp')) expect(response.headers.get('content-type')).toBe(type)
    }
  })
})

describe('the Link header of the front page', () => {
  it('names the descriptions by their registered relations', () => {
    const header = descriptionLinks('https://checks.example')
    expect(header).toMatch(/^[\x20-\x7e]+$/)
    const relations = [...header.matchAll(/<https:\/\/checks\.example(\/[^>]*)>; rel="([a-z-]+)"/g)]
    expect(relations.map(([, path, rel]) => `${rel} ${path}`)).toEqual([
      'service-desc /openapi.json',
      'service-doc /llms-full.txt',
      'service-meta /.well-known/x402',
      'api-catalog /.well-known/api-catalog',
      'describedby /.well-known/agent-card.json',
      'describedby /llms.txt',
    ])
  })
})
