import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { NewPayment } from '../../../src/ledger/payments/new-payment.ts'
import { eventually } from '../../support/eventually.ts'
import { type SaleBench, startSaleBench } from '../../support/sale-bench.ts'

let bench: SaleBench
beforeEach(async () => {
  bench = await startSaleBench()
})
afterEach(() => bench.stop())

describe('a sale', () => {
  test('takes one payment, one round trip and one check run', async () => {
    const buyer = await bench.buyer()
    const { rawPayment, nonce } = await buyer.sign()
    const sale = await bench.sell(rawPayment)
    expect(sale).toMatchObject({
      kind: 'sold',
      replayed: false,
      rulesetChanged: false,
      verdicts: [{ valid: true }],
      settlement: { success: true, payer: buyer.address, network: 'eip155:8453' },
    })
    expect(bench.checkRuns()).toBe(1)
    expect(await bench.charged()).toBe(1)
    expect(bench.facilitator.settled).toHaveLength(1)
    expect(bench.facilitator.verified).toHaveLength(0)
    expect(await bench.row(buyer, nonce)).toMatchObject({
      state: 'settled',
      owner: null,
      leaseUntil: 0,
      attempts: 1,
      surface: 'rest',
      checkType: 'iban',
      amount: 1000n,
    })
  })

  test('sells an invalid value like any other', async () => {
    const { rawPayment } = await (await bench.buyer()).sign()
    expect(await bench.sell(rawPayment, bench.call('nonsense'))).toMatchObject({
      kind: 'sold',
      verdicts: [{ valid: false }],
    })
    expect(await bench.charged()).toBe(1)
  })

  test('goes by its steps: look up, check, write down as settling, settle, settled', async () => {
    const steps: string[] = []
    const note = (step: string) => () => {
      steps.push(step)
      return false
    }
    bench.faults.push(
      { method: 'find', when: 'before', hits: note('look up') },
      {
        method: 'claim',
        when: 'before',
        hits: (payment: NewPayment) =>
          note(payment.settlingAt === null ? 'claimed' : `settling (${bench.checkRuns()} checked)`)(),
      },
      {
        method: 'move',
        when: 'before',
        hits: (...args: readonly unknown[]) =>
          note(`${(args[1] as { state: string }).state} (${bench.checkRuns()} checked)`)(),
      },
    )
    bench.facilitator.script.push({
      lands: 'before',
      says: (truth) => {
        steps.push('settle')
        return truth
      },
    })
    await bench.sell((await (await bench.buyer()).sign()).rawPayment)
    expect(steps).toEqual(['look up', 'settling (1 checked)', 'settle', 'settled (1 checked)'])
  })

  test('has its claim on disk, with owner and lease, before anything is sent', async () => {
    const buyer = await bench.buyer()
    const { rawPayment, nonce } = await buyer.sign()
    const seen: unknown[] = []
    bench.facilitator.script.push({
      says: async () => {
        seen.push(await bench.row(buyer, nonce))
        return { success: false, errorReason: 'insufficient_funds', transaction: '' }
      },
    })
    await bench.sell(rawPayment)
    expect(seen).toEqual([
      expect.objectContaining({
        state: 'settling',
        owner: bench.layer.context.owner,
        attempts: 1,
        transaction: null,
        leaseUntil: expect.closeTo(bench.clock.now() + 30_000, -4),
      }),
    ])
  })

  test('does not look at the time of a payment it knows', async () => {
    const { rawPayment } = await (await bench.buyer()).sign()
    await bench.sell(rawPayment)
    bench.clock.advance(1_800_000)
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold', replayed: true })
  })

  test('goes on after its client has left', async () => {
    const buyer = await bench.buyer()
    const { rawPayment, nonce } = await buyer.sign()
    const release = bench.facilitator.hold()
    void bench.sell(rawPayment)
    await eventually(() => bench.facilitator.settled.length).toBe(1)
    release()
    await eventually(async () => (await bench.row(buyer, nonce)).state).toBe('settled')
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold', replayed: true })
    expect(await bench.charged()).toBe(1)
  })

  test('notes that its reply left, once', async () => {
    const buyer = await bench.buyer()
    const { rawPayment, nonce } = await buyer.sign()
    const sale = await bench.sell(rawPayment)
    expect((await bench.row(buyer, nonce)).deliveredAt).toBeNull()
    if (sale.kind === 'sold') sale.delivered()
    await eventually(async () => (await bench.row(buyer, nonce)).deliveredAt).not.toBeNull()
    const { deliveredAt } = await bench.row(buyer, nonce)
    bench.clock.advance(5_000)
    const again = await bench.sell(rawPayment)
    if (again.kind === 'sold') again.delivered()
    await bench.sell(rawPayment)
    expect((await bench.row(buyer, nonce)).deliveredAt).toBe(deliveredAt)
  })

  test('is sold thirty-two times to thirty-two buyers at once: charged is answered', async () => {
    const payments = await Promise.all(
      Array.from({ length: 32 }, async (_, index) =>
        (await bench.buyer(index % 4 === 0 ? 0n : 1_000n)).sign(),
      ),
    )
    const sales = await Promise.all(payments.map(({ rawPayment }) => bench.sell(rawPayment)))
    expect(sales.filter(({ kind }) => kind === 'sold')).toHaveLength(24)
    const codes = sales.flatMap((sale) => (sale.kind === 'sold' ? [] : sale.code))
    expect(codes).toEqual(Array(8).fill('payment_insufficient_funds'))
    expect(await bench.charged()).toBe(24)
  })

  test('counts what came of each call', async () => {
    const { rawPayment } = await (await bench.buyer()).sign()
    await bench.sell({ kind: 'none' })
    await bench.sell(rawPayment)
    await bench.sell(rawPayment)
    await bench.layer.counts.flush()
    const day = new Date(bench.clock.now()).toISOString().slice(0, 10)
    const counts = await bench.ledger.counts(day, day)
    expect(Object.fromEntries(counts.map(({ outcome, count }) => [outcome, count]))).toEqual({
      payment_required: 1,
      sold: 1,
      replayed: 1,
    })
  })
})
