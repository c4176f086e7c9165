import { CHECK_TYPES } from 'format-checker-checks/verdict'
import supertest from 'supertest'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LISTING, type RestService, startRestService } from './rest-service.ts'

let service: RestService
beforeAll(async () => {
  service = await startRestService()
})
afterAll(() => service.close())

type Listed = Record<string, unknown> & { readonly types: readonly { readonly type: string }[] }

const listed = async (from: RestService) => (await supertest(from.url).get('/api/types')).body as Listed

describe('GET /api/types', () => {
  it('has exactly the members of the specification, with the base URL, and the lists', async () => {
    const body = await listed(service)
    expect(Object.keys(body)).toEqual([
      'service',
      'summary',
      'baseUrl',
      'price',
      'network',
      'networkName',
      'asset',
      'payTo',
      'facilitator',
      'protocol',
      'usage',
      'privacy',
      'docs',
      'types',
      'batch',
    ])
    expect(body).toMatchObject({
      baseUrl: LISTING.baseUrl,
      price: '$0.001',
      network: 'eip155:8453',
      networkName: 'Base',
      asset: LISTING.asset,
      payTo: LISTING.payTo,
      facilitator: LISTING.facilitator,
      docs: {
        openapi: 'https://checks.example/openapi.json',
        llms: 'https://checks.example/llms.txt',
        x402: 'https://checks.example/.well-known/x402',
        agentCard: 'https://checks.example/.well-known/agent-card.json',
        mcp: 'https://checks.example/mcp',
        a2a: 'https://checks.example/a2a',
      },
    })
    expect(JSON.stringify(body)).not.toContain('SANDBOX')
    expect(body.summary).toMatch(/^Checks the format/)
  })

  it('lists the types in order, each with five members', async () => {
    const { types } = await listed(service)
    expect(types.map((entry) => entry.type)).toEqual(CHECK_TYPES)
    for (const entry of types) {
      expect(Object.keys(entry)).toEqual(['type', 'description', 'price', 'method', 'endpoint'])
      expect(entry).toMatchObject({
        price: '$0.001',
        method: 'POST',
        endpoint: `/api/validate/${entry.type}`,
        description: expect.stringMatching(/.{20,}/),
      })
    }
  })

  it('names the lists beside the types, with the price of a value', async () => {
    expect((await listed(service)).batch).toEqual({
      description: expect.stringContaining('one payment'),
      pricePerValue: '$0.001',
      maxValues: 1000,
      method: 'POST',
      endpoint: '/api/validate/batch',
      typedEndpoint: '/api/validate/{type}/batch',
    })
  })

  it('is kept by a strong entity tag', async () => {
    const first = await supertest(service.url).get('/api/types')
    const etag = first.headers.etag ?? ''
    expect(etag).toMatch(/^"[\w-]+"$/)
    expect(first.headers['cache-control']).toBe('public, max-age=3600')
    for (const tags of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await supertest(service.url).get('/api/types').set('If-None-Match', tags)
      expect(again.status).toBe(304)
      expect(again.headers.etag).toBe(etag)
    }
    const other = await supertest(service.url).get('/api/types').set('If-None-Match', '"other"')
    expect(other.status).toBe(200)
  })

  it('answers HEAD, refuses other methods, and passes over a query', async () => {
    const head = await supertest(service.url).head('/api/types')
    expect(head.status).toBe(200)
    expect(Number(head.headers['content-length'])).toBeGreaterThan(1000)
    const refused = await supertest(service.url).post('/api/types').send('{}')
    expect(refused.status).toBe(405)
    expect(refused.headers.allow).toBe('GET, HEAD, OPTIONS')
    expect((await supertest(service.url).get('/api/types?fresh=1')).status).toBe(200)
  })

  it('says SANDBOX where the money is not real, in the summary and nowhere else', async () => {
    const sandbox = await startRestService({ sandbox: true })
    const plain = await listed(service)
    const body = await listed(sandbox)
    await sandbox.close()
    expect(body.summary).toMatch(/^SANDBOX, payments are not real\. Checks the format/)
    expect({ ...body, summary: '' }).toEqual({ ...plain, summary: '' })
  })
})
