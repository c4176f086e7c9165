import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { decodeFunctionData, parseAbi } from 'viem'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startTestService, type TestService } from '../../support/sandbox-service.ts'
import { jsonOf } from './published.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService({ CONTACT_EMAIL: 'contact@checks.example' })
})
afterAll(() => service.stop())

/** Every URL of this service that stands anywhere in a document. */
const urlsIn = (document: unknown): readonly string[] => [
  ...new Set(
    [...JSON.stringify(document).matchAll(/"(http:\/\/127\.0\.0\.1:\d+[^"]*)"/g)].map(([, url]) =>
      String(url),
    ),
  ),
]

describe.each([
  '/apis.json',
  '/.well-known/ai-catalog.json',
  '/.well-known/agent-registration.json',
])('%s', (path) => {
  it('links only to what is served', async () => {
    const urls = urlsIn(await jsonOf(service, path))
    expect(urls.length).toBeGreaterThan(2)
    const statuses = await Promise.all(urls.map(async (url) => [url, (await fetch(url)).status]))
    // The MCP endpoint answers POST only.
    expect(statuses).toEqual(urls.map((url) => [url, url.endsWith('/mcp') ? 405 : 200]))
  })
})

describe('/apis.json', () => {
  it('names one interface with its description', async () => {
    const { specificationVersion, apis, maintainers } = await jsonOf(service, '/apis.json')
    expect(specificationVersion).toBe('0.19')
    expect(apis).toHaveLength(1)
    expect(apis[0]).toMatchObject({ baseURL: service.url, version: '1.2.0' })
    expect(apis[0].properties).toContainEqual({ type: 'OpenAPI', url: `${service.url}/openapi.json` })
    expect(maintainers).toHaveLength(1)
  })
})

describe('/.well-known/ai-catalog.json', () => {
  it('names the MCP server card, the agent card and the skills under distinct names', async () => {
    const response = await fetch(`${service.url}/.well-known/ai-catalog.json`)
    expect(response.headers.get('content-type')).toBe('application/ai-catalog+json')
    const { specVersion, entries } = (await response.json()) as {
      specVersion: string
      entries: { identifier: string; type: string; url: string }[]
    }
    expect(specVersion).toBe('1.0')
    expect(entries.map(({ type }) => type)).toEqual([
      'application/mcp-server-card+json',
      'application/a2a-agent-card+json',
      'application/json',
    ])
    expect(new Set(entries.map(({ identifier }) => identifier)).size).toBe(3)
    for (const { identifier } of entries) expect(identifier).toMatch(/^urn:air:[^:]+:\w+:format-checker$/)
  })
})

describe('the MCP server card', () => {
  it('speaks of MCP, not of HTTP bodies', async () => {
    const { instructions, tools } = await jsonOf(service, '/.well-known/mcp/server-card.json')
    expect(instructions).toContain('_meta["x402/payment"]')
    for (const text of [
      instructions,
      ...tools.map(({ description }: { description: string }) => description),
    ])
      expect(text).not.toMatch(/\bPOST\b|\bbody\b|\bheader\b|PAYMENT-SIGNATURE/)
  })
})

describe('/.well-known/agent-registration.json', () => {
  it('is an ERC-8004 registration file that says whether the service is live', async () => {
    expect(await jsonOf(service, '/.well-known/agent-registration.json')).toMatchObject({
      type: 'https://eips.ethereum.org/EIPS/eip-8004#registration-v1',
      x402Support: true,
      active: false,
      registrations: [],
      services: expect.arrayContaining([
        { name: 'A2A', endpoint: `${service.url}/.well-known/agent-card.json`, version: '1.0' },
        { name: 'email', endpoint: 'contact@checks.example' },
      ]),
    })
  })

  const cli = (...args: string[]) =>
    promisify(execFile)(process.execPath, ['src/cli.ts', 'register-8004', '--url', service.url, ...args])

  it('is registered by the call that the command prints', async () => {
    const { stdout } = await cli('--dry-run')
    const call = JSON.parse(stdout)
    expect(call).toMatchObject({
      chainId: 8453,
      to: '0x8004A169FB4a3325136EB29fA0ceB6D2e539a432',
      value: '0',
    })
    const abi = parseAbi(['function register(string agentURI) returns (uint256 agentId)'])
    expect(decodeFunctionData({ abi, data: call.data })).toEqual({
      functionName: 'register',
      args: [`${service.url}/.well-known/agent-registration.json`],
    })
  })

  it('is not registered without --dry-run, since the command sends nothing', async () => {
    await expect(cli()).rejects.toMatchObject({ code: 2, stdout: '' })
  })
})
