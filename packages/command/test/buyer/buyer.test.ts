/** What a buyer of single checks makes of the answers to its payments, over each protocol. */

import { createServer } from 'node:http'
import type { PaymentPayload } from '@x402/core/types'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import type { DeclinedCode, UnpaidCode } from '../../../../src/errors.ts'
import type { Sell } from '../../../../src/payments/ports/sale.ts'
import { fakePayment, quoteFor } from '../../../../test/support/a2a-double.ts'
import { listenOnLoopback } from '../../../../test/support/loopback.ts'
import { PROMISES } from '../../../../test/support/promises.ts'
import { realRegistry } from '../../../../test/support/registry.ts'
import { startRestDouble } from '../../../../test/support/rest-double.ts'
import { startA2aService } from '../../../../test/surfaces/a2a/a2a-service.ts'
import { startMcp } from '../../../../test/surfaces/mcp/mcp-service.ts'
import { exitCode } from '../../src/buy/describe-purchase.ts'
import { createBuyer } from '../../src/buyer/buyer.ts'
import type { Surface } from '../../src/buyer/open-client.ts'
import type { Wallet } from '../../src/buyer/wallet.ts'

const wallet: Wallet = { sign: async (required) => fakePayment(required) as PaymentPayload }
const AT_ONCE = { sends: 2, sleep: async () => {} }
const IBAN = 'GB82 WEST 1234 5698 7654 32'

const buyerAt = (url: string, surface: Surface = 'rest') =>
  createBuyer({ url, type: 'iban', surface, maxAmount: 1_000n }, AT_ONCE)

async function restDouble() {
  const double = await startRestDouble()
  onTestFinished(double.stop)
  return double
}

const STATUS: Partial<Record<string, number>> = {
  payment_already_used: 409,
  payment_identifier_conflict: 409,
  replay_window_over: 409,
  task_not_found: 404,
  too_many_requests: 429,
  payment_in_doubt: 503,
  facilitator_unavailable: 503,
  chain_unavailable: 503,
  sales_paused: 503,
  store_unavailable: 503,
  shutting_down: 503,
}

/** Open of an authorization, but said of a request of which nothing was handed on. */
const NOT_LOOKED_AT: readonly string[] = ['too_many_requests', 'shutting_down']

describe('a refused payment', () => {
  test.each(Object.entries(PROMISES))('%s, which promises "%s"', async (code, promise) => {
    const double = await restDouble()
    const refusal = { status: STATUS[code] ?? 402, code }
    double.refusals.push(refusal, refusal)
    const outcome = await buyerAt(double.url).buy(IBAN, wallet)
    const isFree = promise === 'never' || NOT_LOOKED_AT.includes(code)
    expect([outcome.kind, exitCode(outcome)]).toEqual(isFree ? ['refused', 1] : ['in_doubt', 3])
    expect(outcome).toMatchObject({ code })
  })

  test('without a reason may have been charged', async () => {
    const double = await restDouble()
    double.refusals.push({ status: 402 })
    const outcome = await buyerAt(double.url).buy(IBAN, wallet)
    expect(outcome).toMatchObject({
      kind: 'in_doubt',
      state: expect.stringContaining(`${double.url}/payments/0x`),
    })
  })
})

const CASES: readonly (readonly [UnpaidCode | DeclinedCode, string])[] = [
  ['payment_expired', 'refused'],
  ['payment_terms_mismatch', 'refused'],
  ['payment_refused', 'in_doubt'],
  ['payment_already_used', 'in_doubt'],
  ['facilitator_unavailable', 'refused'],
  ['chain_unavailable', 'refused'],
  ['store_unavailable', 'in_doubt'],
]

describe('over A2A', () => {
  test.each(CASES)('%s: %s', async (code, kind) => {
    const service = await startA2aService()
    onTestFinished(() => service.close())
    service.double.script.push(code, code)
    expect(await buyerAt(service.url, 'a2a').buy(IBAN, wallet)).toMatchObject({ kind, code })
  })
})

describe('over MCP', () => {
  const sellNothing =
    (code: UnpaidCode | DeclinedCode): Sell =>
    async (call, rawPayment) => {
      if (call.kind !== 'value') throw new Error('MCP sells values only')
      const quote = quoteFor(call.items[0].skill)
      if (rawPayment.kind === 'none') return { kind: 'unpaid', code: 'payment_required', quote }
      return (STATUS[code] ?? 402) === 402
        ? { kind: 'unpaid', code: code as UnpaidCode, quote }
        : { kind: 'declined', code: code as DeclinedCode }
    }

  test.each(CASES)('%s: %s', async (code, kind) => {
    const mcp = await startMcp({ registry: realRegistry(), sell: sellNothing(code) })
    onTestFinished(() => mcp.close())
    expect(await buyerAt(new URL(mcp.url).origin, 'mcp').buy(IBAN, wallet)).toMatchObject({ kind, code })
  })

  test('terms again without a code: the payment may have been charged', async () => {
    const required = { ...quoteFor({ summary: '' }).required('payment_required'), error: 'Refused.' }
    const result = { isError: true, content: [], structuredContent: required }
    const { url, stop } = await listenOnLoopback(
      createServer((_req, res) => res.end(JSON.stringify({ jsonrpc: '2.0', id: 1, result }))),
    )
    onTestFinished(stop)
    expect(await buyerAt(url, 'mcp').buy(IBAN, wallet)).toMatchObject({
      kind: 'in_doubt',
      detail: 'Refused.',
    })
  })
})

describe('known terms', () => {
  afterEach(() => void vi.useRealTimers())

  test('are asked for once, and again after a payment by them was refused', async () => {
    const double = await restDouble()
    const buyer = buyerAt(double.url)
    const kinds = async () => (await buyer.buy(IBAN, wallet)).kind
    expect([await kinds(), await kinds(), double.asked]).toEqual(['bought', 'bought', 1])
    double.payTo = `0x${'2'.repeat(40)}`
    expect([await kinds(), double.asked]).toEqual(['refused', 1])
    expect([await kinds(), await kinds(), double.asked]).toEqual(['bought', 'bought', 2])
  })

  test('are asked for again after ten minutes', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    const double = await restDouble()
    const buyer = buyerAt(double.url)
    await buyer.buy(IBAN, wallet)
    vi.advanceTimersByTime(599_999)
    await buyer.buy(IBAN, wallet)
    expect(double.asked).toBe(1)
    double.payTo = `0x${'2'.repeat(40)}`
    vi.advanceTimersByTime(1)
    expect((await buyer.buy(IBAN, wallet)).kind).toBe('bought')
    expect(double.asked).toBe(2)
  })
})
