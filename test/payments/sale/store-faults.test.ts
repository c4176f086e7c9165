import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { PaymentChange, PaymentRow } from '../../../src/ledger/payments/payment-row.ts'
import { StoreUnavailable } from '../../../src/ledger/store/store-unavailable.ts'
import { FacilitatorFault } from '../../../src/payments/facilitators/facilitator-fault.ts'
import { type PaymentHandler, runSale } from '../../../src/payments/sale/table/run-sale.ts'
import { newRun, type Run } from '../../../src/payments/sale/table/sale-context.ts'
import type { StoreFault } from '../../support/faulty-ledger.ts'
import { type SaleBench, startSaleBench } from '../../support/sale-bench.ts'

let bench: SaleBench
beforeEach(async () => {
  bench = await startSaleBench()
})
afterEach(() => bench.stop())

const moveTo = (state: string, when: 'before' | 'after'): StoreFault => ({
  method: 'move',
  when,
  hits: (_: PaymentRow, change: PaymentChange) => change.state === state,
})
/** The second call of a method, and all after it. */
const second = (method: StoreFault['method']): StoreFault => {
  let calls = 0
  return {
    method,
    when: 'before',
    hits: () => {
      calls += 1
      return calls > 1
    },
  }
}
const UNAVAILABLE = { kind: 'declined', code: 'store_unavailable', retryAfterSeconds: 5 }
const IN_DOUBT = { kind: 'declined', code: 'payment_in_doubt' }

describe('a store that fails before anything was sent', () => {
  test.each<[string, StoreFault]>([
    ['looking the payment up', { method: 'find', when: 'before' }],
    ['looking for an earlier payment', { method: 'unanswered', when: 'before' }],
    ['claiming', { method: 'claim', when: 'before' }],
    ['claiming, and the claim was written', { method: 'claim', when: 'after' }],
    ['looking for another signature for the call', second('unanswered')],
  ])('stops the sale: %s', async (_, fault) => {
    const { rawPayment } = await (await bench.buyer()).sign()
    bench.faults.push(fault)
    expect(await bench.sell(rawPayment)).toEqual(UNAVAILABLE)
    expect(bench.facilitator.settled).toHaveLength(0)
    bench.faults.length = 0
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold' })
    expect(await bench.charged()).toBe(1)
  })

  test('and takes nothing more stops the sale for another process too, until the lease is over', async () => {
    const buyer = await bench.buyer()
    const { rawPayment, nonce } = await buyer.sign()
    bench.faults.push({ method: 'claim', when: 'after' }, { method: 'move', when: 'before' })
    expect(await bench.sell(rawPayment)).toEqual(UNAVAILABLE)
    bench.faults.length = 0
    expect(await bench.row(buyer, nonce)).toMatchObject({ state: 'settling', owner: expect.any(String) })
    await bench.restart()
    bench.clock.advance(31_000)
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold' })
    expect(await bench.charged()).toBe(1)
  })

  test.each<[string, StoreFault]>([
    ['claiming, and the claim was written', { method: 'claim', when: 'after' }],
    ['looking for another signature for the call', second('unanswered')],
  ])('leaves the row to any process and any call at once: %s', async (_, fault) => {
    const buyer = await bench.buyer()
    const { rawPayment, nonce } = await buyer.sign()
    bench.faults.push(fault)
    await bench.sell(rawPayment)
    bench.faults.length = 0
    expect(await bench.row(buyer, nonce)).toMatchObject({ state: 'claimed', owner: null, attempts: 0 })
    await bench.restart()
    expect(await bench.sell(rawPayment, bench.call('another value'))).toMatchObject({ kind: 'sold' })
    expect(await bench.charged()).toBe(1)
  })

  test('leaves a claim that was taken over to any process at once', async () => {
    const buyer = await bench.buyer()
    const { rawPayment, nonce } = await buyer.sign()
    bench.facilitator.script.push({ says: 'not_sent' })
    await bench.sell(rawPayment)
    bench.faults.push(second('unanswered'))
    expect(await bench.sell(rawPayment)).toEqual(UNAVAILABLE)
    bench.faults.length = 0
    expect(await bench.row(buyer, nonce)).toMatchObject({ state: 'claimed', owner: null })
    await bench.restart()
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold' })
  })

  test.each<[string, StoreFault]>([
    ['and had not taken the write', moveTo('settling', 'before')],
    ['and had taken the write', moveTo('settling', 'after')],
  ])('before a row that was taken over is sent sells to a repeat: %s', async (_, fault) => {
    for (const isRestarted of [false, true]) {
      const { rawPayment } = await (await bench.buyer()).sign()
      bench.facilitator.script.push({ says: 'not_sent' })
      expect(await bench.sell(rawPayment)).toMatchObject({ code: 'facilitator_unavailable' })
      bench.faults.push(fault)
      expect(await bench.sell(rawPayment)).toEqual(UNAVAILABLE)
      bench.faults.length = 0
      if (isRestarted) {
        await bench.restart()
        bench.clock.advance(31_000)
      }
      expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold' })
    }
    expect(await bench.charged()).toBe(2)
  })

  test.each<[string, StoreFault]>([
    ['and had not taken the write', moveTo('settling', 'before')],
    ['and had taken the write', moveTo('settling', 'after')],
  ])('before a refused payment is tried again sells to a repeat: %s', async (_, fault) => {
    const buyer = await bench.spender()
    const { rawPayment } = await buyer.sign()
    await bench.sell(rawPayment)
    await bench.chain.fund(buyer.address, 1_000n)
    bench.faults.push(fault)
    // A refusal may have been wrong, so "nothing was charged" cannot be said of it any more.
    expect(await bench.sell(rawPayment)).toMatchObject(IN_DOUBT)
    bench.faults.length = 0
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold' })
    expect(await bench.charged()).toBe(1)
  })

  test('keeps the identifier’s promise', async () => {
    const buyer = await bench.buyer()
    bench.faults.push({ method: 'findByIdentifier', when: 'before' })
    const { rawPayment } = await buyer.sign({}, 'order-0123456789abcdef')
    expect(await bench.sell(rawPayment)).toEqual(UNAVAILABLE)
    expect(bench.facilitator.settled).toHaveLength(0)
  })
})

describe('a store that fails after the payment was sent', () => {
  test.each<[string, StoreFault]>([
    ['recording', moveTo('settled', 'before')],
    ['recording and looking', moveTo('settled', 'before')],
    ['everything', { method: 'move', when: 'before', hits: () => bench.facilitator.settled.length > 0 }],
  ])('gives no verdict and does not say that nothing was charged: %s', async (name, fault) => {
    const buyer = await bench.buyer()
    const { rawPayment, nonce } = await buyer.sign()
    bench.faults.push(fault)
    if (name === 'recording and looking')
      bench.faults.push({ method: 'find', when: 'before', hits: () => bench.facilitator.settled.length > 0 })
    expect(await bench.sell(rawPayment)).toMatchObject(IN_DOUBT)
    expect(bench.logged.join()).toContain('settlement_not_recorded')
    bench.faults.length = 0
    expect(await bench.row(buyer, nonce)).toMatchObject({ state: 'settling' })
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold' })
    expect(await bench.charged()).toBe(1)
    expect(bench.facilitator.settled).toHaveLength(1)
  })

  test.each<[string, Error | undefined]>([
    ['the store fails again', undefined],
    ['a defect', new TypeError('a defect')],
  ])('is in doubt whatever else goes wrong, also while the answer is made: %s', async (_, error) => {
    const { rawPayment } = await (await bench.buyer()).sign()
    const hits = () => bench.facilitator.settled.length > 0
    for (const method of ['move', 'find', 'findTask', 'reclaim'] as const)
      bench.faults.push({ method, when: 'before', hits, ...(error && { error }) })
    expect(await bench.sell(rawPayment, bench.taskCall())).toMatchObject(IN_DOUBT)
    expect(bench.logged.join()).toContain('settlement_not_recorded')
    bench.faults.length = 0
    expect(await bench.sell(rawPayment, bench.taskCall())).toMatchObject({ kind: 'sold' })
    expect(await bench.charged()).toBe(1)
  })

  test.each([
    'sent',
    'mayBeCharged',
  ] as const)('is in doubt also if that answer itself fails: %s', async (seen) => {
    const fails = () => Promise.reject(new StoreUnavailable('gone'))
    const handler = { begin: fails, inDoubt: fails } as unknown as PaymentHandler<Run>
    const context = { timing: bench.layer.context.timing }
    const run: Run = { context, ...newRun() }
    await expect(runSale(handler, run)).rejects.toThrow(StoreUnavailable)
    run.charge[seen] = true
    expect(await runSale(handler, run)).toMatchObject(IN_DOUBT)
  })

  test('is in doubt for a copy of the request too, whatever throws', async () => {
    const { rawPayment } = await (await bench.buyer()).sign()
    const hits = () => bench.facilitator.settled.length > 0
    bench.faults.push({ method: 'move', when: 'before', hits, error: new TypeError('a defect') })
    expect(await Promise.all([bench.sell(rawPayment), bench.sell(rawPayment)])).toMatchObject([
      IN_DOUBT,
      IN_DOUBT,
    ])
  })

  test('is in doubt for a repeat of what may be charged, whatever throws', async () => {
    const { rawPayment } = await (await bench.buyer()).sign()
    bench.facilitator.script.push({ says: 'unknown', lands: 'before' })
    bench.faults.push({ method: 'move', when: 'before', hits: () => bench.facilitator.settled.length > 0 })
    expect(await bench.sell(rawPayment)).toMatchObject(IN_DOUBT)
    bench.faults.length = 0
    await bench.restart()
    bench.clock.advance(31_000)
    bench.faults.push({ method: 'noteRepeat', when: 'before', error: new TypeError('a defect') })
    bench.logged.length = 0
    expect(await bench.sell(rawPayment)).toMatchObject(IN_DOUBT)
    expect(bench.logged.join()).toContain('repeat_failed')
  })

  test('and did write the record, answers with it', async () => {
    const { rawPayment } = await (await bench.buyer()).sign()
    bench.faults.push(moveTo('settled', 'after'))
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold' })
    expect(await bench.charged()).toBe(1)
  })

  test.each<[string, 'before' | undefined]>([
    ['and the transfer was made', 'before'],
    ['and it was not', undefined],
  ])('with a doubtful outcome is in doubt: %s', async (_, lands) => {
    const { rawPayment } = await (await bench.buyer()).sign()
    bench.facilitator.script.push({ says: 'unknown', ...(lands === undefined ? {} : { lands }) })
    bench.faults.push({ method: 'move', when: 'before', hits: () => bench.facilitator.settled.length > 0 })
    bench.faults.push({ method: 'find', when: 'before', hits: () => bench.facilitator.settled.length > 0 })
    expect(await bench.sell(rawPayment)).toMatchObject(IN_DOUBT)
    bench.faults.length = 0
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold' })
    expect(await bench.charged()).toBe(1)
  })

  test('and a refusal that could not be written is cleared up from the chain', async () => {
    const buyer = await bench.spender()
    const { rawPayment, nonce } = await buyer.sign()
    bench.faults.push({ method: 'move', when: 'before', hits: () => bench.facilitator.settled.length > 0 })
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'unpaid', code: 'payment_insufficient_funds' })
    bench.faults.length = 0
    expect(await bench.row(buyer, nonce)).toMatchObject({ state: 'settling' })
    await bench.chain.fund(buyer.address, 1_000n)
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold' })
  })
})

describe('a store that fails on a repeat', () => {
  test('does not say of a payment in doubt that nothing was charged', async () => {
    const { rawPayment } = await (await bench.buyer()).sign()
    const { ChainUnavailable } = await import('../../../src/payments/chain/chain-reader.ts')
    const { head } = bench.reader
    bench.reader.head = () => Promise.reject(new ChainUnavailable('down'))
    bench.facilitator.script.push({ lands: 'before', says: 'unknown' })
    expect(await bench.sell(rawPayment)).toMatchObject(IN_DOUBT)
    bench.reader.head = head
    bench.faults.push({ method: 'move', when: 'before' })
    expect(await bench.sell(rawPayment)).toMatchObject(IN_DOUBT)
    bench.faults[0] = { method: 'noteRepeat', when: 'before' }
    expect(await bench.sell(rawPayment)).toMatchObject(IN_DOUBT)
    bench.faults.length = 0
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold' })
  })

  test('gives no verdict that it could not count', async () => {
    const { rawPayment } = await (await bench.buyer()).sign()
    await bench.sell(rawPayment)
    bench.faults.push({ method: 'noteRepeat', when: 'before' })
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'declined' })
    bench.faults.length = 0
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold', replayed: true })
  })

  test('that cannot note a delivery keeps the buyer’s answer', async () => {
    const { rawPayment } = await (await bench.buyer()).sign()
    bench.faults.push({ method: 'noteDelivered', when: 'before' })
    const sale = await bench.sell(rawPayment)
    if (sale.kind === 'sold') sale.delivered()
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold' })
  })
})

test.each([
  [1, 'facilitator_unavailable'],
  [0, 'payment_in_doubt'],
])('a row that cannot be released is certainly not sent while its lease lasts: %i ms of it left', async (left, code) => {
  const buyer = await bench.buyer()
  const { rawPayment, nonce } = await buyer.sign()
  const { settle } = bench.facilitator
  bench.facilitator.settle = async () => {
    const { leaseUntil } = await bench.row(buyer, nonce)
    bench.clock.advance(leaseUntil - left - bench.clock.now())
    bench.faults.push({ method: 'move', when: 'before' })
    throw new FacilitatorFault('not_sent', 'connection refused')
  }
  expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'declined', code })
  bench.facilitator.settle = settle
})
