/** What the validator of a registry, written elsewhere, says of the running service. */
import {
  checkEndpointSchema,
  checkL2ForOpenAPI,
  checkL4ForOpenAPI,
  discoverOriginSchema,
  GuidanceMode,
  getOpenAPI,
  getWarningsFor402Body,
  getWarningsForFavicon,
  getWarningsForL2,
  getWarningsForL3,
  getWarningsForL4,
  getWarningsForOpenAPI,
  isOpenApiParseFailure,
  validatePaymentRequiredDetailed,
} from '@agentcash/discovery'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { realRegistry } from '../../support/registry.ts'
import { startTestService, type TestService } from '../../support/sandbox-service.ts'

const registry = realRegistry()

async function openApi({ url }: TestService) {
  const result = await getOpenAPI(url)
  if (result.isErr() || result.value === null || isOpenApiParseFailure(result.value))
    throw new Error('the document was not read')
  return result.value
}

describe.each([
  { channels: 'off' },
  { channels: 'on' },
] as const)('the validator of a registry, payment channels $channels', ({ channels }) => {
  let service: TestService
  beforeAll(async () => {
    service = await startTestService({ CHANNELS: channels })
  })
  afterAll(() => service.stop())

  it('finds the paid routes and the free ones, with price and protocol', async () => {
    const found = await discoverOriginSchema({ target: service.url, guidance: GuidanceMode.Always })
    if (!found.found) throw new Error('nothing was found')
    expect(found.source).toBe('openapi')
    expect(found.info).toMatchObject({ title: 'Format Checker (SANDBOX)', version: '1.2.0' })
    expect(found.guidance).toContain('Never sign a second payment')
    const lists = found.endpoints.filter(({ path }) => path.endsWith('/batch'))
    const paid = found.endpoints.filter(
      (route) => route.path.startsWith('/api/validate/') && !lists.includes(route),
    )
    const free = found.endpoints.filter((route) => !paid.includes(route) && !lists.includes(route))
    expect(lists).toHaveLength(registry.all.length + 1)
    for (const route of lists) expect(route).toMatchObject({ authMode: 'paid', pricingMode: 'dynamic' })
    expect(free.map(({ path, method }) => `${method} ${path}`)).toEqual([
      'GET /api/types',
      'GET /payments/{payer}/{nonce}',
      // Without a price in the document: catalogues list each check once.
      ...(channels === 'on' ? ['GET /api/channel', 'POST /api/channel/validate/{type}'] : []),
    ])
    for (const route of free) expect(route.authMode).toBe('unprotected')
    expect(paid.map(({ path }) => path)).toEqual(registry.all.map(({ id }) => `/api/validate/${id}`))
    for (const route of paid) {
      expect(route).toMatchObject({ method: 'POST', authMode: 'paid', protocols: ['x402'], currency: 'USD' })
      expect(route).toMatchObject({ pricingMode: 'fixed', price: '0.001 USD' })
    }
  })

  it('warns of nothing in the document', async () => {
    const source = await openApi(service)
    const warnings = [
      ...getWarningsForOpenAPI(source),
      ...getWarningsForL2(checkL2ForOpenAPI(source)),
      ...getWarningsForL4(checkL4ForOpenAPI(source)),
    ]
    expect(warnings.map(({ code }) => code)).toEqual([])
  })

  it('finds an icon', async () => {
    expect(await getWarningsForFavicon(service.url).unwrapOr([])).toEqual([])
  })

  it.each<string>([
    ...registry.all.map(({ id }) => id),
    'iban/batch',
    'batch',
  ])('probes the route of %s without a body and finds its terms', async (id) => {
    const url = `${service.url}/api/validate/${id}`
    const checked = await checkEndpointSchema({ url, probe: true })
    if (!checked.found) throw new Error('nothing was found')
    const [advisory, ...others] = checked.advisories
    // Preflights are answered for free; no other method is.
    expect(others.map(({ method }) => method)).toEqual(['OPTIONS'])
    if (advisory === undefined) throw new Error('no advice')
    expect(advisory).toMatchObject({ method: 'POST', authMode: 'paid', source: 'probe' })
    expect(advisory.paymentOptions?.map((option) => 'scheme' in option && option.scheme)).toEqual(['exact'])
    expect(getWarningsForL3(advisory)).toEqual([])
    expect(getWarningsFor402Body(advisory.paymentRequiredBody)).toEqual([])
    const { valid, issues } = validatePaymentRequiredDetailed(advisory.paymentRequiredBody)
    expect({ valid, issues }).toEqual({ valid: true, issues: [] })
  })
})
