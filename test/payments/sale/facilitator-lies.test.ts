import { setImmediate } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ChainUnavailable } from '../../../src/payments/chain/chain-reader.ts'
import { createHttpFacilitator } from '../../../src/payments/facilitators/http/http-facilitator.ts'
import { holdDeadlines, passTime } from '../../support/held-deadlines.ts'
import { type Behaviour, type OddServer, sendJson, startOddServer } from '../../support/odd-server.ts'
import { type SaleBench, startSaleBench } from '../../support/sale-bench.ts'

let bench: SaleBench
afterEach(() => bench.stop())

const HASH = `0x${'ab'.repeat(32)}`
const success = (change: object) => ({ success: true, transaction: HASH, network: 'eip155:8453', ...change })

const LIES: readonly [string, object][] = [
  ['an empty transaction', success({ transaction: '' })],
  ['no transaction', success({ transaction: undefined })],
  ['a transaction that is no hash', success({ transaction: '0x1234' })],
  ['a transaction that is a number', success({ transaction: 7 })],
  ['another payer', success({ payer: `0x${'12'.repeat(20)}` })],
  ['a payer that is no text', success({ payer: 5 })],
  ['another amount', success({ amount: '999' })],
  ['an amount that is a number', success({ amount: 1000 })],
  ['another network', success({ network: 'eip155:84532' })],
  ['no network', success({ network: undefined })],
]

describe('success that is not ours', () => {
  beforeEach(async () => {
    bench = await startSaleBench()
  })

  test.each(LIES)('is no success, and no failure either: %s', async (_, lie) => {
    const [paid, unpaid] = [await (await bench.buyer()).sign(), await (await bench.spender()).sign()]
    bench.facilitator.script.push({ lands: 'before', says: () => lie }, { says: () => lie })
    expect(await bench.sell(paid.rawPayment)).toMatchObject({ kind: 'sold' })
    expect(await bench.sell(unpaid.rawPayment)).toMatchObject({ kind: 'declined', code: 'payment_in_doubt' })
    expect(await bench.charged()).toBe(1)
  })

  test('gives no receipt with a foreign transaction: the chain’s own goes into it', async () => {
    const { rawPayment } = await (await bench.buyer()).sign()
    bench.facilitator.script.push({ lands: 'before', says: () => success({ payer: HASH }) })
    const sale = await bench.sell(rawPayment)
    expect(sale).toMatchObject({
      kind: 'sold',
      settlement: { success: true, transaction: expect.not.stringMatching(HASH) },
    })
  })
})

describe('with proof on the chain asked for', () => {
  beforeEach(async () => {
    bench = await startSaleBench({ proofOnChain: true })
  })

  test('an honest sale is answered once its transfer is seen', async () => {
    const buyer = await bench.buyer()
    const { rawPayment, nonce } = await buyer.sign()
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold', replayed: false })
    expect(await bench.row(buyer, nonce)).toMatchObject({ state: 'settled', audit: null, logIndex: 0 })
  })

  test.each([
    ['a plausible hash', () => success({})],
    ['the hash of another sale', () => success({ transaction: other })],
  ])('success without a transfer releases nothing, also from a payer without funds: %s', async (_, lie) => {
    const first = await bench.sell((await (await bench.buyer()).sign()).rawPayment)
    if (first.kind === 'sold') other = first.settlement.transaction
    for (const buyer of [await bench.buyer(), await bench.spender()]) {
      const { rawPayment, nonce } = await buyer.sign()
      bench.facilitator.script.push({ says: lie })
      expect(await bench.sell(rawPayment, bench.call('x'))).toMatchObject({ code: 'payment_in_doubt' })
      expect(await bench.row(buyer, nonce)).toMatchObject({ state: 'in_doubt' })
    }
    expect(await bench.charged()).toBe(1)
  })

  test('a transfer that comes late is waited for', async () => {
    await bench.stop()
    bench = await startSaleBench({ proofOnChain: true, timing: { proofWaitMs: 3_600_000 } })
    const { trace } = bench.reader
    let looks = 0
    bench.reader.trace = async (query) => {
      looks += 1
      if (looks === 3) await bench.facilitator.landLate()
      return trace(query)
    }
    bench.facilitator.script.push({ lands: 'after', says: () => success({}) })
    expect(await bench.sell((await (await bench.buyer()).sign()).rawPayment)).toMatchObject({
      kind: 'sold',
      replayed: false,
    })
    expect(looks).toBe(3)
  })

  test('while it is waited for, the chain is not asked without a pause', async () => {
    await bench.stop()
    let [at, isPausing] = [0, false]
    const sleep = async () => {
      isPausing = true
      await setImmediate()
      isPausing = false
    }
    const monotonicMs = () => (at += 1)
    bench = await startSaleBench({ proofOnChain: true, timing: { proofWaitMs: 10, sleep, monotonicMs } })
    const { trace } = bench.reader
    const looks: boolean[] = []
    bench.reader.trace = async (query) => {
      looks.push(isPausing)
      return trace(query)
    }
    bench.facilitator.script.push({ says: () => success({}) })
    const { rawPayment } = await (await bench.buyer()).sign()
    expect(await bench.sell(rawPayment)).toMatchObject({ code: 'payment_in_doubt' })
    expect(looks.length).toBeGreaterThan(1)
    expect(looks).not.toContain(true)
  })

  test('a transfer that comes too late is found by a repeat', async () => {
    const { rawPayment } = await (await bench.buyer()).sign()
    bench.facilitator.script.push({ lands: 'after', says: () => success({}) })
    expect(await bench.sell(rawPayment)).toMatchObject({ code: 'payment_in_doubt' })
    await bench.facilitator.landLate()
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold' })
    expect(await bench.charged()).toBe(1)
  })
  let other = ''
})

describe('a facilitator over HTTP that answers badly', () => {
  const DEADLINE_MS = 20_000
  let server: OddServer
  let lands: boolean
  let worst: Behaviour | undefined
  beforeEach(async () => {
    server = await startOddServer()
    bench = await startSaleBench({
      facilitator: (scripted) => {
        server.behave((response, request, socket) => {
          const behaviour = worst
          worst = undefined
          const { paymentPayload, paymentRequirements } = JSON.parse(request.body)
          const done = behaviour === undefined || lands
          void (done ? scripted.settle(paymentPayload, paymentRequirements) : Promise.resolve({})).then(
            (reply) => (behaviour ?? sendJson(reply))(response, request, socket),
          )
        })
        return createHttpFacilitator({ url: server.url, settleDeadlineMs: DEADLINE_MS })
      },
    })
    holdDeadlines()
  })
  afterEach(async () => {
    vi.useRealTimers()
    await server.stop()
  })

  const html =
    (status: number): Behaviour =>
    (response) =>
      void response.writeHead(status, { 'content-type': 'text/html' }).end('<html>Bad Gateway</html>')
  const doubtful: [string, Behaviour][] = [
    ['500', sendJson({ error: 'boom' }, 500)],
    ['502 with HTML', html(502)],
    ['504', html(504)],
    ['success as HTML', html(200)],
    ['a redirect', (response) => void response.writeHead(302, { location: '/settle' }).end()],
    ['a reset', (_response, _request, socket) => void socket.resetAndDestroy()],
    ['no answer', () => passTime(DEADLINE_MS)],
    [
      'half an answer',
      (response, _request, socket) => {
        response.writeHead(200, { 'content-length': 100 })
        response.write('{"success":true', () => socket.destroy())
      },
    ],
    ['10 MB', (response) => void response.writeHead(200).end(Buffer.alloc(10_000_000, 0x20))],
    [
      'an answer that never ends',
      (response) => {
        response.writeHead(200)
        let drips = 0
        const drip = setInterval(() => {
          response.write(' ')
          drips += 1
          if (drips === 3) passTime(DEADLINE_MS)
        }, 5)
        response.once('close', () => clearInterval(drip))
      },
    ],
    ['a JSON of another shape', sendJson({ ok: true })],
  ]

  test.each(doubtful)('after the transfer, the buyer has the verdict: %s', async (_, behaviour) => {
    lands = true
    worst = behaviour
    expect(await bench.sell((await (await bench.buyer()).sign()).rawPayment)).toMatchObject({ kind: 'sold' })
    expect(await bench.charged()).toBe(1)
    expect(server.seen).toHaveLength(1)
  })

  test.each(
    doubtful,
  )('without a transfer, the payment is in doubt until it is repeated: %s', async (_, behaviour) => {
    lands = false
    worst = behaviour
    const { rawPayment } = await (await bench.buyer()).sign()
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'declined', code: 'payment_in_doubt' })
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold' })
    expect(await bench.charged()).toBe(1)
  })

  test.each([
    401, 403, 404, 429,
  ])('%s is its word that nothing was sent, and is not believed', async (status) => {
    lands = false
    worst = sendJson({ error: 'no' }, status)
    const buyer = await bench.buyer()
    const { rawPayment, nonce } = await buyer.sign()
    expect(await bench.sell(rawPayment)).toMatchObject({ code: 'payment_in_doubt' })
    expect(await bench.row(buyer, nonce)).toMatchObject({ state: 'in_doubt', doubt: 'denied', owner: null })
    expect(await bench.sell(rawPayment, bench.call('other'))).toMatchObject({ code: 'payment_already_used' })
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold' })
    expect(await bench.charged()).toBe(1)
  })

  test.each([
    401, 403, 404, 429,
  ])('%s after the transfer was made is answered from the chain', async (status) => {
    lands = true
    worst = sendJson({ error: 'no' }, status)
    const buyer = await bench.buyer()
    const { rawPayment, nonce } = await buyer.sign()
    const { head } = bench.reader
    bench.reader.head = () => Promise.reject(new ChainUnavailable('down'))
    expect(await bench.sell(rawPayment)).toMatchObject({ code: 'payment_in_doubt' })
    expect(await bench.row(buyer, nonce)).toMatchObject({ state: 'in_doubt', doubt: 'denied' })
    bench.reader.head = head
    expect(await bench.sell((await buyer.sign()).rawPayment)).toMatchObject({ kind: 'sold', replayed: true })
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold', replayed: true })
    expect(await bench.charged()).toBe(1)
  })

  test('no words of the facilitator reach the buyer or the log', async () => {
    const canary = 'upstream-canary-51'
    for (const behaviour of [
      sendJson({ error: canary }, 500),
      sendJson({ success: false, errorReason: canary, errorMessage: canary, transaction: '' }),
      sendJson({ success: false, errorReason: 'insufficient_funds', errorMessage: canary, transaction: '' }),
    ]) {
      lands = false
      worst = behaviour
      const sale = await bench.sell((await (await bench.buyer()).sign()).rawPayment)
      expect(JSON.stringify(sale)).not.toContain(canary)
    }
    expect(bench.logged.join()).not.toContain(canary)
  })
})
