/** Real purchases over every surface leave the limit of unpaid requests where it stood, in any mix and side by side. */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  a2aMessage,
  BUYERS,
  IN_BAND,
  inMetadata,
  newPayment,
  type Payload,
  payFor,
  post,
  VALUE,
} from '../../conformance/doors/exchange.ts'
import type { Target } from '../../conformance/target.ts'
import { startTestService, type TestService } from '../../support/sandbox-service.ts'
import { SDK_BUYERS } from './sdk-buyers.ts'

const MOST = 30
/** The windows of the limit are a minute long; a run that took longer shows nothing. */
const MINUTE_MS = 60_000

let service: TestService
beforeAll(async () => {
  service = await startTestService({ RATE_LIMIT_UNPAID: String(MOST), TRUST_PROXY: '1' })
})
afterAll(() => service.stop())

/** The service as a client of an address of its own sees it. */
let clients = 0
const newClient = (): Target => {
  clients += 1
  const address = `198.51.${clients >> 8}.${clients & 255}`
  const { url, sandbox, stop } = service
  const fields = { 'X-Forwarded-For': address }
  return { origin: url, url: `${url}/mcp`, privateKey: sandbox.buyer.privateKey, fields, stop }
}

/** Pays for a task of so many values, which counts once for every ten; the paying message can be sent again. */
async function buyTask(target: Target, values: number): Promise<() => Promise<void>> {
  const data = { skill: 'iban', input: { values: Array(values).fill(VALUE) } }
  const { task } = (await a2aMessage(target, { parts: [{ data }] }, IN_BAND)).json.result
  const payload = await payFor(target, task.status.message.metadata['x402.payment.required'])
  const pay = async () => {
    const message = { taskId: task.id, parts: [{ text: 'paid' }], metadata: inMetadata(payload) }
    const { status } = (await a2aMessage(target, message)).json.result.task
    expect(status.message.metadata['x402.payment.status']).toBe('payment-completed')
  }
  await pay()
  return pay
}

interface Purchase {
  readonly over: string
  readonly repeats: number
  /** Over which surfaces it is repeated, if it is no task. */
  readonly again: string
}

const SURFACES = Object.keys(BUYERS)

async function buy(target: Target, { over, repeats, again }: Purchase): Promise<void> {
  const values = Number(/^task of (\d+)$/.exec(over)?.[1] ?? 0)
  let repeat: () => Promise<unknown>
  if (values > 0) repeat = await buyTask(target, values)
  else {
    const payload: Payload = await newPayment(target)
    await BUYERS[over]?.(target, payload)
    repeat = async () => BUYERS[again]?.(target, payload)
  }
  await Promise.all(Array.from({ length: repeats }, repeat))
}

/** How many unpaid requests are let in until the limit. */
async function left(target: Target): Promise<number> {
  for (let asks = 0; ; asks++) {
    const { status } = await post(target, '/api/validate/iban', { value: VALUE })
    if (status === 429) return asks
    expect(status).toBe(402)
  }
}

const purchase = fc.record<Purchase>({
  over: fc.constantFrom(...SURFACES, 'task of 1', 'task of 25'),
  repeats: fc.nat(3),
  again: fc.constantFrom(...SURFACES),
})

test('purchases and their repeats leave it where it stood, and take nothing from other unpaid requests', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(purchase, { maxLength: 5 }),
      fc.nat(4),
      fc.nat(4),
      fc.boolean(),
      async (purchases, junk, asks, isSerial) => {
        const begun = performance.now()
        const target = newClient()
        for (let n = 0; n < junk; n++) await post(target, '/api/validate/iban', { other: 1 })
        for (let n = 0; n < asks; n++) await post(target, '/api/validate/iban', { value: VALUE })
        if (isSerial) for (const one of purchases) await buy(target, one)
        else await Promise.all(purchases.map((one) => buy(target, one)))
        const found = await left(target)
        fc.pre(performance.now() - begun < MINUTE_MS)
        expect(found).toBe(MOST - junk - asks)
      },
    ),
    { numRuns: 25 },
  )
})

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' }

test('buyers of an address, each with the connections and lists of its SDK, leave it where it stood', async () => {
  const sdk = fc.constantFrom(...Object.keys(SDK_BUYERS))
  await fc.assert(
    fc.asyncProperty(
      fc.array(sdk, { maxLength: 5 }),
      fc.nat(3),
      fc.boolean(),
      async (sdks, junk, isSerial) => {
        const begun = performance.now()
        const target = newClient()
        for (let n = 0; n < junk; n++) await post(target, '/api/validate/iban', { other: 1 })
        const buyers = sdks.map((name) => () => SDK_BUYERS[name]?.(target))
        if (isSerial) for (const buy of buyers) await buy()
        else await Promise.all(buyers.map((buy) => buy()))
        const found = await left(target)
        fc.pre(performance.now() - begun < MINUTE_MS)
        expect(found).toBe(MOST - junk)
      },
    ),
    { numRuns: 25 },
  )
})

test.each(Object.keys(SDK_BUYERS))('%s: forty purchases, each on a new connection', async (name) => {
  const target = newClient()
  for (let n = 0; n < 40; n++) await SDK_BUYERS[name]?.(target)
})

test('free calls of an address that never pays are limited, and a sale gives at most ten back', async () => {
  const begun = performance.now()
  const target = newClient()
  for (let n = 0; n < 20; n++) expect((await post(target, '/mcp', LIST)).status).toBe(200)
  await SDK_BUYERS['REST, @x402/fetch']?.(target)
  const found = await left(target)
  expect((await post(target, '/mcp', LIST)).status).toBe(429)
  if (performance.now() - begun < MINUTE_MS) expect(found).toBe(MOST - 10)
})
