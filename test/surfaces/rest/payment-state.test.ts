import supertest from 'supertest'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { accessLog } from '../../../src/http/access-log.ts'
import { problemSender } from '../../../src/http/body/problem.ts'
import { unpaidLimiter } from '../../../src/http/limits/unpaid-limiter.ts'
import { PAYMENT_STATES, type PaymentRow } from '../../../src/ledger/payments/payment-row.ts'
import { StoreUnavailable } from '../../../src/ledger/store/store-unavailable.ts'
import { createCounter } from '../../../src/surfaces/call/counter.ts'
import { paymentStateRoutes } from '../../../src/surfaces/rest/payment-state.ts'
import { serve } from '../../http/http-harness.ts'
import { newPayment } from '../../support/payment-rows.ts'
import { openTempLedger, rowIn, type TempLedger } from '../../support/temp-ledger.ts'

const PAYER = `0x${'ab'.repeat(20)}`
const NONCE = `0x${'cd'.repeat(32)}`
const TRANSACTION = `0x${'ef'.repeat(32)}`

let store: TempLedger
let service: Awaited<ReturnType<typeof serve>>
let logged: unknown[]

const start = async (perMinute = 0, find?: () => Promise<PaymentRow | null>) => {
  const limiter = unpaidLimiter({ perMinute, trustedProxies: 0 })
  const log = {
    info: (...line: unknown[]) => void logged.push(line),
    error: (...line: unknown[]) => void logged.push(line),
  }
  const { network, asset } = newPayment()
  const routes = paymentStateRoutes({
    findPayment: find ?? ((payer, nonce) => store.ledger.find({ network, asset, payer, nonce })),
    counter: createCounter({ sell: () => Promise.reject(new Error('nothing is sold')), limiter, log }),
    sendProblem: problemSender('https://checks.example'),
    log,
  })
  service = await serve((req, res) =>
    accessLog((entry) => log.info(entry, 'request'))(req, res, () =>
      routes(req, res, () => res.writeHead(418).end()),
    ),
  )
}
const ask = (path: string) => supertest(service.url).get(path)

beforeEach(async () => {
  logged = []
  store = await openTempLedger()
})
afterEach(async () => {
  await service.close()
  await store.close()
})

describe('the state of one authorization', () => {
  it('is shown with the transaction once settled, in any case of hexadecimal, and nothing else', async () => {
    await start()
    await rowIn(store.ledger, newPayment({ payer: PAYER, nonce: NONCE }), {
      state: 'settled',
      transaction: TRANSACTION,
      settledAt: 2_000,
    })
    const response = await ask(`/payments/${PAYER}/${NONCE}`)
    expect(response.status).toBe(200)
    expect(response.headers['content-type']).toBe('application/json; charset=utf-8')
    expect(response.headers['cache-control']).toBe('no-store')
    const told = { payer: PAYER, nonce: NONCE, state: 'settled', transaction: TRANSACTION }
    expect(response.body).toEqual(told)
    const upper = `/payments/0x${'AB'.repeat(20)}/0X${'CD'.repeat(32)}`
    expect((await ask(upper)).body).toEqual(told)
    expect((await supertest(service.url).head(upper)).status).toBe(200)
  })

  it('says of a payment that was not needed what sending it again would do', async () => {
    await start()
    const row = await rowIn(store.ledger, newPayment({ payer: PAYER, nonce: NONCE }), { state: 'claimed' })
    await store.ledger.move(row, { owner: null, leaseUntil: 0, doubt: 'not_needed' })
    const { body } = await ask(`/payments/${PAYER}/${NONCE}`)
    expect(body).toEqual({
      ...{ payer: PAYER, nonce: NONCE, state: 'not_needed' },
      detail: expect.stringMatching(/[Aa]nother payment.*not sent.*sending it again buys another call/),
    })
  })

  it.each(
    PAYMENT_STATES.filter((state) => state !== 'settled'),
  )('is shown without a transaction while it is %s', async (state) => {
    await start()
    await rowIn(store.ledger, newPayment({ payer: PAYER, nonce: NONCE }), {
      state,
      transaction: TRANSACTION,
    })
    const response = await ask(`/payments/${PAYER}/${NONCE}`)
    expect(response.body).toEqual({ payer: PAYER, nonce: NONCE, state })
  })

  it('is not found if there was no payment', async () => {
    await start()
    const response = await ask(`/payments/${PAYER}/${NONCE}`)
    expect(response.status).toBe(404)
    expect(response.body).toMatchObject({ code: 'payment_not_found' })
  })

  it.each([
    `/payments/${PAYER}/${NONCE}00`,
    `/payments/${PAYER}/0x12`,
    `/payments/${NONCE}/${PAYER}`,
    `/payments/${PAYER.slice(2)}/${NONCE}`,
    `/payments/${PAYER}/${NONCE.slice(0, -1)}g`,
    `/payments/%30x${'ab'.repeat(20)}/${NONCE}`,
    `/payments/*/*`,
    `/payments/${PAYER}/%`,
  ])('is refused for a malformed address or nonce: %s', async (path) => {
    await start()
    const response = await ask(path)
    expect(response.status).toBe(400)
    expect(response.headers['content-type']).toContain('application/problem+json')
    expect(response.body).toMatchObject({ code: 'payment_key_malformed' })
  })

  it.each([
    '/payments',
    '/payments/',
    `/payments/${PAYER}`,
    `/payments/${PAYER}/`,
    `/payments/${PAYER}/${NONCE}//`,
    `/payments//${PAYER}/${NONCE}`,
    `/payments//${NONCE}`,
    `/payments/${PAYER}//`,
    `/x/payments/${PAYER}/${NONCE}`,
    `/PAYMENTS/${PAYER}/${NONCE}`,
  ])('cannot be listed or found under another path: %s', async (path) => {
    await start()
    expect((await ask(path)).status).toBe(418)
  })

  it('is read only', async () => {
    await start()
    const response = await supertest(service.url).delete(`/payments/${PAYER}/${NONCE}`)
    expect(response.status).toBe(405)
    expect(response.headers.allow).toBe('GET, HEAD, OPTIONS')
  })

  it('counts as an unpaid request', async () => {
    await start(2)
    for (let index = 0; index < 2; index += 1) {
      expect((await ask(`/payments/${PAYER}/${NONCE}`)).status).toBe(404)
    }
    const response = await ask(`/payments/${PAYER}/${NONCE}`)
    expect(response.status).toBe(429)
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(0)
  })

  it('counts only where there was no payment: buyers may ask for their own as often as they like', async () => {
    await start(2)
    await rowIn(store.ledger, newPayment({ payer: PAYER, nonce: NONCE }), { state: 'in_doubt' })
    const missing = `/payments/${PAYER}/0x${'00'.repeat(32)}`
    expect((await ask(missing)).status).toBe(404)
    for (let index = 0; index < 5; index += 1)
      expect((await ask(`/payments/${PAYER}/${NONCE}`)).status).toBe(200)
    expect((await ask(missing)).status).toBe(404)
    expect((await ask(missing)).status).toBe(429)
  })

  it('is not known while the store is down, and nothing is claimed about the charge', async () => {
    await start(0, () => Promise.reject(new StoreUnavailable('down')))
    const response = await ask(`/payments/${PAYER}/${NONCE}`)
    expect(response.status).toBe(503)
    expect(response.headers['retry-after']).toBe('5')
    const problem = response.body as { code: string; detail: string }
    expect(problem.code).toBe('payment_state_unknown')
    expect(problem.detail).not.toContain('charged')
  })

  it('is not known after a defect, of which nothing is said', async () => {
    await start(0, () => Promise.reject(new TypeError('CANARY-7391')))
    const response = await ask(`/payments/${PAYER}/${NONCE}`)
    expect([response.status, response.body.code]).toEqual([500, 'internal_error'])
    expect(response.text + JSON.stringify(logged)).not.toContain('CANARY')
  })

  it('leaves no trace of payer or nonce in the log', async () => {
    await start()
    await ask(`/payments/${PAYER}/${NONCE}`)
    await ask(`/payments/${PAYER}/0x12`)
    await expect.poll(() => logged).toHaveLength(2)
    // A run of eight: shorter ones are in the UUIDs of requests now and then.
    expect(JSON.stringify(logged)).not.toMatch(/abababab|cdcdcdcd|0x12/)
  })
})
