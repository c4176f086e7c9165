import { validatePaymentRequiredDetailed } from '@agentcash/discovery'
import type { PaymentPayload } from '@x402/core/types'
import {
  extractDiscoveryInfo,
  validateDiscoveryExtension,
  validateDiscoveryExtensionSpec,
} from '@x402/extensions/bazaar'
import {
  decodeSignedOffers,
  extractOffersFromPaymentRequired,
  findAcceptsObjectFromSignedOffer,
  isJWSSignedOffer,
  verifyOfferSignatureJWS,
} from '@x402/extensions/offer-receipt'
import {
  appendPaymentIdentifierToExtensions,
  extractAndValidatePaymentIdentifier,
  PAYMENT_IDENTIFIER,
  paymentIdentifierSchema,
} from '@x402/extensions/payment-identifier'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import type { Quote, SurfaceName } from '../../../src/payments/ports/sale.ts'
import { resourceUrl } from '../../../src/payments/terms/quoted-resource.ts'
import { UNPAID_CODES } from '../../support/promises.ts'
import { firstExample } from '../../support/registry.ts'
import { realQuotes } from './real-quotes.ts'

const BASE_URL = 'https://checks.example'
const NOW = Date.UTC(2026, 9, 1)
const { quotes, registry, networks, signer, renewQuotes } = await realQuotes(BASE_URL, () => NOW)
const [{ terms }] = networks
const SURFACES = ['rest', 'a2a', 'mcp'] as const
const sold = SURFACES.flatMap((surface) => registry.all.map((skill) => ({ surface, skill, id: skill.id })))

/** A payment as the facilitator sees it: our own resource and extensions, whatever the client sent. */
function payloadFor(surface: (typeof SURFACES)[number], id: string): PaymentPayload {
  const skill = registry.get(id)
  if (skill === undefined) throw new Error('no such skill')
  const { resource, extensions, accepts } = quotes.single(skill, surface).required('payment_required')
  return { x402Version: 2, resource, extensions, accepted: accepts[0], payload: {} } as PaymentPayload
}

describe.each(sold)('the quote of $id over $surface', ({ surface, skill }) => {
  const quote = quotes.single(skill, surface)
  const required = quote.required('payment_required')

  it('has no fault and no warning for the validator of a registry', () => {
    const { valid, issues } = validatePaymentRequiredDetailed(required)
    // That validator looks for the input where HTTP routes have it; a tool's stands in the info.
    const expected = surface === 'mcp' ? ['SCHEMA_INPUT_MISSING'] : []
    expect(issues.map(({ code }) => code)).toEqual(expected)
    expect(valid).toBe(surface !== 'mcp')
  })

  it('declares how to call it, in a form that catalogues read', () => {
    const { bazaar } = required.extensions as { bazaar: Parameters<typeof validateDiscoveryExtension>[0] }
    expect(validateDiscoveryExtension(bazaar)).toEqual({ valid: true })
    expect(validateDiscoveryExtensionSpec(bazaar as unknown as Record<string, unknown>)).toEqual({
      valid: true,
    })
    const found = extractDiscoveryInfo(payloadFor(surface, skill.id), terms.requirements)
    expect(found).toMatchObject({
      resourceUrl: resourceUrl(BASE_URL, { type: skill.id, shape: 'single' }, surface),
      description: skill.summary,
      mimeType: 'application/json',
      serviceName: 'Format Checker',
      tags: [skill.id, 'validation', 'checksum', 'offline'],
      iconUrl: `${BASE_URL}/icon.svg`,
      ...(surface === 'mcp' ? { toolName: skill.operationId } : { method: 'POST' }),
    })
    expect(JSON.stringify(found?.discoveryInfo.input)).toContain(JSON.stringify(firstExample(skill).input))
  })

  it('declares a schema that no other kind of input fits', () => {
    const { bazaar } = required.extensions as { bazaar: { info: { input: object }; schema: object } }
    const fits = new Ajv2020({ strict: false }).compile(bazaar.schema)
    expect(fits(bazaar.info)).toBe(true)
    const other = surface === 'mcp' ? 'http' : 'mcp'
    expect(fits({ ...bazaar.info, input: { ...bazaar.info.input, type: other } })).toBe(false)
  })

  it('carries a signed offer of exactly these terms', async () => {
    const [offer, ...more] = extractOffersFromPaymentRequired(required)
    expect(more).toEqual([])
    if (offer === undefined || !isJWSSignedOffer(offer)) throw new Error('no offer in JWS')
    const payload = await verifyOfferSignatureJWS(offer, signer.jwk as never)
    const { scheme, network, asset, amount, payTo } = terms.requirements
    expect(payload).toEqual({
      version: 1,
      resourceUrl: resourceUrl(BASE_URL, { type: skill.id, shape: 'single' }, surface),
      scheme,
      network,
      asset,
      payTo,
      amount,
      validUntil: NOW / 1000 + 24 * 3_600,
    })
    const [decoded] = decodeSignedOffers([offer])
    if (decoded === undefined) throw new Error('not decoded')
    expect(findAcceptsObjectFromSignedOffer(decoded, required.accepts)).toEqual(required.accepts[0])
  })

  it('lets a buyer add a payment identifier', () => {
    const id = 'pay_0123456789abcdef'
    const extensions = appendPaymentIdentifierToExtensions(structuredClone(required.extensions ?? {}), id)
    const payload = { x402Version: 2, extensions } as unknown as PaymentPayload
    expect(extractAndValidatePaymentIdentifier(payload)).toMatchObject({ id, validation: { valid: true } })
  })

  it('says what a payment identifier may be', () => {
    const { [PAYMENT_IDENTIFIER]: declared } = required.extensions as Record<string, { schema: object }>
    const { id } = paymentIdentifierSchema.properties
    expect(declared?.schema).toMatchObject({ properties: { id } })
  })

  it('fits into 3.5 kB of header, whatever the outcome', () => {
    for (const code of UNPAID_CODES) expect(quote.header(code).length, code).toBeLessThan(3584)
  })
})

describe('quotes', () => {
  it('fit into 3.5 kB of header under a long public address, too', async () => {
    const long = await realQuotes('https://format-checker.a-company-name.example')
    for (const { surface, skill } of sold) {
      for (const code of UNPAID_CODES)
        expect(long.quotes.single(skill, surface).header(code).length).toBeLessThan(3584)
    }
  })

  it('keep their offers, and leave out how to call, where a payment was refused', () => {
    for (const { surface, skill } of sold) {
      const { extensions } = quotes.single(skill, surface).required('payment_expired')
      expect(Object.keys(extensions ?? {})).toEqual(['payment-identifier', 'offer-receipt'])
    }
  })

  it('show no icon under an address that is not https', async () => {
    const { quotes, registry } = await realQuotes('http://127.0.0.1:4021')
    for (const skill of registry.all) {
      expect(quotes.single(skill, 'rest').required('payment_required').resource).not.toHaveProperty('iconUrl')
    }
  })

  it('are followed by others with later offers, while one that a client holds stays as it is', async () => {
    let now = NOW
    const later = await realQuotes(BASE_URL, () => now)
    const [skill] = registry.all
    if (skill === undefined) throw new Error('no skill')
    const before = later.quotes.single(skill, 'rest')
    const header = before.header('payment_required')
    expect(later.quotes.single(skill, 'rest')).toBe(before)
    now += 3_600_000
    await later.renewQuotes()
    const after = later.quotes.single(skill, 'rest')
    expect(before.header('payment_required')).toBe(header)
    expect(untilOf(after) - untilOf(before)).toBe(3600)
  })

  it('of lists are kept, the five hundred that were asked for last', async () => {
    const { quotes, renewQuotes } = await realQuotes(BASE_URL, () => NOW)
    const ask = (items: number, surface: SurfaceName = 'rest') =>
      quotes.of({ shape: 'list', type: 'mixed', items }, surface)
    const first = await ask(1)
    for (let items = 2; items <= 500; items += 1) await ask(items)
    expect(await ask(1)).toBe(first)
    for (let items = 501; items <= 1_000; items += 1) await ask(items)
    const later = await ask(1)
    expect(later).not.toBe(first)
    expect(await ask(1, 'mcp')).not.toBe(later)
    await renewQuotes()
    expect(await ask(1)).not.toBe(later)
  })

  it('are the same however often they are computed in one second', async () => {
    const headers = () =>
      sold.map(({ surface, skill }) => quotes.single(skill, surface).header('payment_required'))
    const before = headers()
    await renewQuotes()
    expect(headers()).toEqual(before)
  })
})

function untilOf(quote: Quote): number {
  const [offer] = decodeSignedOffers(extractOffersFromPaymentRequired(quote.required('payment_required')))
  return offer?.validUntil ?? 0
}

it.each(
  SURFACES,
)('a list over %s is declared to catalogues only where it has a path of its own', async (surface) => {
  const quote = await quotes.of({ shape: 'list', type: 'mixed', items: 3 }, surface)
  expect('bazaar' in (quote.required('payment_required').extensions ?? {})).toBe(surface === 'rest')
})
