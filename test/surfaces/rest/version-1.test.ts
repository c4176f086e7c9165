import { isPaymentRequiredV1 } from '@x402/core/schemas'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { encodeHeader, payloadFor } from '../../support/payment-header.ts'
import { toVersion1 } from '../../support/payment-v1.ts'
import { realRegistry } from '../../support/registry.ts'
import { startTestService, type TestService } from '../../support/sandbox-service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

const VALUE = 'DE89370400440532013000'
const payload = () => payloadFor(service.buyer, service.sandbox.payTo)
const decode = (header: string | null) => JSON.parse(Buffer.from(header ?? '', 'base64').toString('utf8'))

describe('the 402', () => {
  it.each(realRegistry().all.map(({ id }) => id))('for %s offers version 1 terms in its body', async (id) => {
    const response = await service.check(id, VALUE)
    const body = await response.json()
    expect(isPaymentRequiredV1(body)).toBe(true)
    const { accepts } = decode(response.headers.get('payment-required'))
    const { amount, network: _caip2, ...terms } = accepts[0]
    expect(body).toMatchObject({
      x402Version: 1,
      error: 'Payment required',
      accepts: [
        {
          ...terms,
          network: 'base',
          maxAmountRequired: amount,
          resource: `${service.url}/api/validate/${id}`,
          mimeType: 'application/json',
          outputSchema: { input: { method: 'POST' } },
        },
      ],
    })
  })
})

describe('a payment in X-PAYMENT', () => {
  it('buys, and the receipt comes in both headers', async () => {
    const signed = await payload()
    const response = await service.check('iban', VALUE, { 'X-PAYMENT': encodeHeader(toVersion1(signed)) })
    expect(response.status).toBe(200)
    const receipt = decode(response.headers.get('payment-response'))
    expect(decode(response.headers.get('x-payment-response'))).toEqual({
      success: true,
      payer: receipt.payer,
      transaction: receipt.transaction,
      network: 'base',
    })
    expect(response.headers.get('access-control-expose-headers')).toContain('X-PAYMENT-RESPONSE')
  })

  it('is one sale and one replay with the same authorization in PAYMENT-SIGNATURE', async () => {
    const signed = await payload()
    const before = await service.books()
    const first = await service.check('iban', VALUE, { 'X-PAYMENT': encodeHeader(toVersion1(signed)) })
    const second = await service.check('iban', VALUE, { 'PAYMENT-SIGNATURE': encodeHeader(signed) })
    expect([first.status, second.status]).toEqual([200, 200])
    expect([first, second].map(({ headers }) => headers.get('payment-replayed'))).toEqual([null, 'true'])
    expect(await first.text()).toBe(await second.text())
    expect(second.headers.get('payment-response')).toBe(first.headers.get('payment-response'))
    expect(second.headers.has('x-payment-response')).toBe(false)
    expect((await service.books()).rows).toBe(before.rows + 1)
  })

  it('is refused with terms that both versions can read', async () => {
    const older = { ...toVersion1(await payload()), network: 'base-sepolia' }
    const response = await service.check('iban', VALUE, { 'X-PAYMENT': encodeHeader(older) })
    expect(response.status).toBe(402)
    const body = (await response.json()) as { code: string }
    expect(body.code).toBe('payment_terms_mismatch')
    expect(isPaymentRequiredV1(body)).toBe(true)
    expect(decode(response.headers.get('payment-required')).x402Version).toBe(2)
  })

  it('is refused for what is neither version', async () => {
    const response = await service.check('iban', VALUE, { 'X-PAYMENT': encodeHeader({ x402Version: 3 }) })
    expect(((await response.json()) as { code: string }).code).toBe('payment_version_unsupported')
  })
})
