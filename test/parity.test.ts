/** Every document says the same of types, prices, terms, schemas, examples and addresses, and so does the service. */
import type { PaymentRequired, PaymentRequirements } from '@x402/core/types'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PATHS } from '../src/surfaces/call/paths.ts'
import { countersOf } from './support/buy-over.ts'
import { payloadFor } from './support/payment-header.ts'
import { realRegistry } from './support/registry.ts'
import { startTestService, type TestService } from './support/sandbox-service.ts'
import { jsonOf, textOf } from './surfaces/documents/published.ts'

const registry = realRegistry()
const skills = registry.all
const ids = skills.map(({ id }) => id)
let service: TestService
// biome-ignore lint/suspicious/noExplicitAny: what came over the wire is looked at member by member
type Json = any
let listing: Json
let openapi: Json
let manifest: Json
let agent: Json
let mcp: Json
let index: Json
let llms: string
let full: string
beforeAll(async () => {
  service = await startTestService()
  listing = await jsonOf(service, '/api/types')
  openapi = await jsonOf(service, '/openapi.json')
  manifest = await jsonOf(service, '/.well-known/x402')
  agent = await jsonOf(service, '/.well-known/agent-card.json')
  mcp = await jsonOf(service, '/.well-known/mcp.json')
  index = await jsonOf(service, '/.well-known/agent-skills/index.json')
  llms = await textOf(service, '/llms.txt')
  full = await textOf(service, '/llms-full.txt')
})
afterAll(() => service.stop())

const operationOf = (id: string) => openapi.paths[`/api/validate/${id}`].post
const termsOf = ({ accepts }: PaymentRequired): PaymentRequirements => {
  const [terms] = accepts
  if (terms === undefined) throw new Error('no terms')
  return terms
}

describe('every document', () => {
  it('lists the same types in the same order', () => {
    expect(listing.types.map((entry: Json) => entry.type)).toEqual(ids)
    const paid = Object.keys(openapi.paths).filter(
      (path) => /^\/api\/validate\/[a-z-]+$/.test(path) && !path.endsWith('/batch'),
    )
    expect(paid).toEqual(ids.map((id) => `/api/validate/${id}`))
    expect(manifest.resources).toEqual(
      [...ids, ...ids.map((id) => `${id}/batch`), 'batch'].map(
        (path) => `${service.url}/api/validate/${path}`,
      ),
    )
    expect(agent.skills.map((skill: Json) => skill.id)).toEqual(ids)
    expect(mcp.tools.map((tool: Json) => tool.name)).toEqual([
      ...skills.map(({ operationId }) => operationId),
      'validate_batch',
    ])
    expect(index.skills.map((skill: Json) => skill.name)).toEqual(ids)
    const listed = [...llms.matchAll(/A2A skill ([a-z-]+)\./g)].map(([, id]) => id)
    expect(listed).toEqual(ids)
  })

  it('says version 1.2.0', () => {
    const versions = [openapi.info.version, manifest.serviceVersion, agent.version, mcp.version]
    expect(versions).toEqual(['1.2.0', '1.2.0', '1.2.0', '1.2.0'])
  })

  it('names the same chain, token and payee', () => {
    const { network, asset, payTo } = listing
    expect(manifest).toMatchObject({ network, asset, payTo, facilitator: listing.facilitator })
    expect(llms).toContain(`USDC ${asset} on ${listing.networkName} (${network}), payable to ${payTo}`)
    expect(network).toBe('eip155:8453')
  })

  it('is at a path of the one list of public paths, and each of them answers', async () => {
    const listed = Object.values<string>(PATHS)
    const below: Record<string, string> = { [PATHS.validate]: 'iban', [PATHS.agentSkills]: '/index.json' }
    const asked = listed.filter(
      (path) => ![PATHS.payment, PATHS.channel, PATHS.overChannel, PATHS.assets].some((it) => it === path),
    )
    const statuses = asked.map(async (path) => {
      const { status } = await fetch(`${service.url}${path}${below[path] ?? ''}`, { redirect: 'manual' })
      return [path, status === 404]
    })
    expect(await Promise.all(statuses)).toEqual(asked.map((path) => [path, false]))
    const fixed = Object.keys(openapi.paths).filter((path) => !path.startsWith(PATHS.validate))
    expect(fixed.filter((path) => !listed.includes(path))).toEqual([])
  })

  it('names one price', () => {
    expect(listing.price).toBe('$0.001')
    expect(new Set(listing.types.map((entry: Json) => entry.price))).toEqual(new Set(['$0.001']))
    expect(manifest.price).toEqual({ amount: '0.001', currency: 'USD' })
    for (const id of ids) {
      expect(operationOf(id)['x-payment-info'].price).toEqual({
        mode: 'fixed',
        currency: 'USD',
        amount: '0.001',
      })
    }
    for (const { description } of agent.skills) expect(description).toContain('USD 0.001')
    for (const { _meta } of mcp.tools.slice(0, ids.length)) expect(_meta['agents-x402/priceUSD']).toBe(0.001)
  })

  it('points to the others under the one public address', () => {
    const { url } = service
    expect(listing.baseUrl).toBe(url)
    expect(listing.docs).toEqual({
      openapi: `${url}/openapi.json`,
      llms: `${url}/llms.txt`,
      x402: `${url}/.well-known/x402`,
      agentCard: `${url}/.well-known/agent-card.json`,
      mcp: `${url}/mcp`,
      a2a: `${url}/a2a`,
    })
    expect(openapi.servers).toEqual([{ url }])
    expect(new Set(agent.supportedInterfaces.map((each: Json) => each.url))).toEqual(new Set([`${url}/a2a`]))
    expect(mcp.remotes[0].url).toBe(`${url}/mcp`)
    expect(manifest.alsoSoldAt).toEqual({ a2a: `${url}/a2a`, mcp: `${url}/mcp` })
  })
})

describe('lists', () => {
  const DYNAMIC = { mode: 'dynamic', currency: 'USD', min: '0.001', max: '1.000' }
  const published = () => manifest.terms.filter(({ operationId }: Json) => operationId.endsWith('_batch'))

  it('are announced at the same price and with the same limit everywhere', () => {
    expect(listing.batch).toMatchObject({ pricePerValue: '$0.001', maxValues: 1000 })
    expect(operationOf('batch')['x-payment-info'].price).toEqual(DYNAMIC)
    for (const { price, accepts } of published())
      expect([price, accepts]).toEqual([{ ...DYNAMIC, perValue: '0.001' }, undefined])
    const tool = mcp.tools.at(-1)
    expect(tool.description).toMatch(/1 to 1,000 values .* \$0\.001 in USDC per value/)
    expect(tool.inputSchema.properties.items.maxItems).toBe(1000)
    expect(JSON.stringify(tool._meta)).not.toMatch(/amount|price/i)
    expect(openapi.components.schemas.Items.properties.items.maxItems).toBe(1000)
    expect(llms).toMatch(/Up to 1,000 values under one payment, \$0\.001 each/)
    expect(agent.description).toContain('USD 0.001 a value')
  })

  it('are sold at the addresses that are published, on the terms of as many values', async () => {
    const post = (url: string, body: unknown) =>
      fetch(url, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
        body: JSON.stringify(body),
      })
    const { resource, input } = published().at(-1)
    const typed = skills.map(({ id, examples }) => {
      const values = examples.slice(0, 2).map((example) => example.input.value)
      return [`${service.url}/api/validate/${id}/batch`, { values }] as const
    })
    expect(manifest.resources.slice(-1 - ids.length)).toEqual([...typed.map(([url]) => url), resource])
    for (const [url, body] of [...typed, [resource, input.example] as const]) {
      const answer = await post(url, body)
      expect([answer.status, ((await answer.json()) as Json).accepts[0].maxAmountRequired]).toEqual([
        402,
        '2000',
      ])
    }
    expect(listing.batch.endpoint).toBe('/api/validate/batch')
    const params = { name: 'validate_batch', arguments: input.example }
    const answer = await post(`${service.url}/mcp`, { jsonrpc: '2.0', id: 1, method: 'tools/call', params })
    const { structuredContent } = ((await answer.json()) as Json).result
    const { accepts } = structuredContent as PaymentRequired
    const { network, asset, payTo } = listing
    expect(accepts[0]).toMatchObject({ scheme: 'exact', network, asset, payTo, amount: '2000' })
  })
})

describe.each(skills.map((skill) => [skill.id, skill] as const))('%s', (id, skill) => {
  it('is sold everywhere on the terms that are published everywhere', async () => {
    const counters = countersOf(service.url)
    const asked = await Promise.all(
      [counters.rest, counters.a2a, counters.mcp].map((each) => each.ask(skill, 'x')),
    )
    const [rest, a2a, tool] = asked.map(({ required }) => required)
    if (rest === undefined || a2a === undefined || tool === undefined) throw new Error('not asked')
    const terms = termsOf(rest)
    expect(termsOf(a2a)).toEqual(terms)
    expect(termsOf(tool)).toEqual(terms)
    const { network, asset, payTo } = listing
    expect(terms).toMatchObject({ scheme: 'exact', network, asset, payTo, amount: '1000' })

    const published = manifest.terms.find((each: Json) => each.operationId === skill.operationId)
    expect(published.accepts).toEqual([terms])
    const { extra, ...named } = terms
    expect(operationOf(id)['x-payment-info'].protocols).toEqual([{ x402: { x402Version: 2, ...named } }])
    const listed = mcp.tools.find((each: Json) => each.name === skill.operationId)
    expect(listed._meta.x402).toEqual({ paymentRequired: true, ...terms })
  })

  it('gives a paying client the verdict of its first example on every surface', async () => {
    const [first] = skill.examples
    const { value } = first?.input ?? { value: '' }
    for (const counter of Object.values(countersOf(service.url))) {
      const payload = await payloadFor(service.buyer, service.sandbox.payTo)
      const { verdict, settlement } = await counter.buy(skill, value, payload)
      expect(settlement.success).toBe(true)
      expect(verdict).toEqual(first?.output)
    }
  })

  it('is named by the listing and the agent card, and has a page that the home page leads to', async () => {
    expect(listing.summary).toContain(skill.name)
    expect(agent.skills.find((each: Json) => each.id === id).name).toBe(skill.title)
    expect(await textOf(service, '/')).toContain(`/checks/${id}`)
    expect(await textOf(service, `/checks/${id}`)).toContain(skill.title)
  })

  it('is sold at the addresses that are published', async () => {
    const counters = countersOf(service.url)
    const urls = await Promise.all(
      [counters.rest, counters.a2a, counters.mcp].map(
        async (each) => (await each.ask(skill, 'x')).required.resource?.url,
      ),
    )
    expect(urls).toEqual([`${service.url}/api/validate/${id}`, `${service.url}/a2a`, `${service.url}/mcp`])
    const entry = listing.types.find((each: Json) => each.type === id)
    expect(`${service.url}${entry.endpoint}`).toBe(urls[0])
    expect(llms).toContain(`POST ${urls[0]}, MCP tool ${skill.operationId}`)
  })

  it('says on its page for agents where a payment goes on each surface', async () => {
    const page = await textOf(service, `/.well-known/agent-skills/${id}/SKILL.md`)
    for (const said of ['`PAYMENT-SIGNATURE`', '`A2A-Extensions`', '`_meta["x402/payment"]`'])
      expect(page).toContain(said)
  })

  it('takes and gives what its schemas say, which are the same everywhere', () => {
    const { schemas } = openapi.components
    expect(schemas[`Input-${id}`]).toEqual(skill.inputSchema)
    const published = manifest.terms.find((each: Json) => each.operationId === skill.operationId)
    expect(published.input.schema).toEqual(skill.inputSchema)
    expect(published.output.schema).toEqual(skill.outputSchema)
    const tool = mcp.tools.find((each: Json) => each.name === skill.operationId)
    // Over MCP, members that a tool does not know are ignored.
    const { additionalProperties: closed, ...open } = skill.inputSchema
    expect(closed).toBe(false)
    expect(tool.inputSchema).toEqual(open)
  })

  it('is described in the same words', () => {
    const entry = listing.types.find((each: Json) => each.type === id)
    expect(entry.description).toBe(skill.summary)
    expect(operationOf(id).summary).toBe(skill.summary)
    expect(operationOf(id).description).toContain(skill.description)
    expect(agent.skills.find((each: Json) => each.id === id).description).toContain(skill.description)
    expect(mcp.tools.find((each: Json) => each.name === skill.operationId).description).toContain(
      skill.description,
    )
    expect(llms).toContain(skill.summary)
  })

  it('is shown by the same examples, with the answers they get', () => {
    const [first] = skill.examples
    const published = manifest.terms.find((each: Json) => each.operationId === skill.operationId)
    expect(published.input.example).toEqual(first?.input)
    expect(published.output.example).toEqual(first?.output)
    const { example } = operationOf(id).requestBody.content['application/json'].examples
    expect(example.value).toEqual(first?.input)
    for (const { input, output } of skill.examples) {
      expect(full).toContain(JSON.stringify(output))
      expect(skill.check(input.value)).toEqual(output)
    }
    const spoken = agent.skills.find((each: Json) => each.id === id).examples
    expect(JSON.parse(spoken[1])).toEqual({ skill: id, input: first?.input })
  })
})
