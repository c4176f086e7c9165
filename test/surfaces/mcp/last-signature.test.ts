/** Wallets that send their last signature with the next call, as `mcpc` does on purpose. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { payloadFor } from '../../support/payment-header.ts'
import { startTestService, type TestService } from '../../support/sandbox-service.ts'

let service: TestService
beforeAll(async () => {
  service = await startTestService()
})
afterAll(() => service.stop())

async function callTool(value: string, payment: unknown, path = '/mcp') {
  const params = { name: 'validate_iban', arguments: { value }, _meta: { 'x402/payment': payment } }
  const response = await fetch(`${service.url}${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  })
  // biome-ignore lint/suspicious/noExplicitAny: what came over the wire is looked at member by member
  return ((await response.json()) as any).result
}

const payment = () => payloadFor(service.buyer, service.sandbox.payTo)
const ibanOf = (number: number) => `DE8937040044053201300${number}`

describe('a wallet that sends its last signature again', () => {
  test('makes ten different paid calls: each is offered terms, then sold to a new signature', async () => {
    const before = await service.books()
    let last = await payment()
    expect((await callTool(ibanOf(0), last)).isError).toBeUndefined()
    for (let number = 1; number < 10; number++) {
      const refused = await callTool(ibanOf(number), last)
      expect(refused.isError).toBe(true)
      expect(refused.structuredContent.error).toMatch(/^payment_already_used: /)
      expect(refused.structuredContent.accepts).toHaveLength(1)
      last = await payment()
      const sold = await callTool(ibanOf(number), last)
      expect(sold.isError).toBeUndefined()
      expect(sold._meta['format-checker/replayed']).toBeUndefined()
    }
    expect((await service.books()).rows).toBe(before.rows + 10)
  })

  test('is answered again for the call it paid for, also after another call was refused', async () => {
    const signed = await payment()
    const sold = await callTool(ibanOf(1), signed)
    await callTool(ibanOf(2), signed)
    const again = await callTool(ibanOf(1), signed)
    expect(again.structuredContent).toEqual(sold.structuredContent)
    expect(again._meta['format-checker/replayed']).toBe(true)
  })

  test('is answered, not offered terms, whatever payment identifier comes with the repeat', async () => {
    const signed = await payment()
    const named = (id: unknown) => ({
      ...signed,
      extensions: { 'payment-identifier': { info: { required: false, id }, schema: {} } },
    })
    const sold = await callTool(ibanOf(4), named('order-0123456789abcdef'))
    for (const repeat of [signed, named('order-fedcba9876543210'), named('short')]) {
      const again = await callTool(ibanOf(4), repeat)
      expect(again.structuredContent).toEqual(sold.structuredContent)
      expect(again._meta['format-checker/replayed']).toBe(true)
    }
  })

  test('is served at the address with a trailing slash, too', async () => {
    const sold = await callTool(ibanOf(3), await payment(), '/mcp/')
    expect(sold.structuredContent.type).toBe('iban')
  })
})
