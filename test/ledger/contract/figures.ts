import { describe, expect, test } from 'vitest'
import type { Ledger } from '../../../src/ledger/ledger.ts'
import type { PaymentChange, PaymentRow } from '../../../src/ledger/payments/payment-row.ts'
import { claimed, newTask } from '../../support/ledger-rows.ts'
import { NO_BACKLOG } from '../../support/no-backlog.ts'
import { newPayment } from '../../support/payment-rows.ts'
import { reach } from '../../support/reach-state.ts'
import { eachWithStore, type OpenStore } from '../each-with-store.ts'

/** What is left of the blob of a task that ends. */
const ENDED = Buffer.from('ended')

/** Counts, revenue, and what the operator looks at. */
export function describeFigures(name: string, open: OpenStore): void {
  describe(`the ${name} ledger`, () => {
    let ledger: Ledger
    eachWithStore(open, (opened) => {
      ledger = opened
    })

    test('adds counts up by day', async () => {
      const count = { day: '2026-11-20', surface: 'rest', checkType: 'iban', outcome: 'sold', count: 2 }
      await ledger.addCounts([count, { ...count, outcome: 'unpaid', count: 1 }])
      await ledger.addCounts([count])
      expect(await ledger.counts('2026-11-20', '2026-11-20')).toEqual([
        { ...count, count: 4 },
        { ...count, outcome: 'unpaid', count: 1 },
      ])
      expect(await ledger.counts('2026-11-21', '2026-11-22')).toEqual([])
      expect(await ledger.counts('2026-11-19', '2026-11-22')).toHaveLength(2)
    })

    test('adds up what one call counts twice, and takes a call that counts nothing', async () => {
      const count = { day: '2026-11-20', surface: 'rest', checkType: 'iban', outcome: 'sold', count: 2 }
      await ledger.addCounts([])
      await ledger.addCounts([count, { ...count, count: 3 }, { ...count, surface: 'mcp' }])
      expect(await ledger.counts('2026-11-20', '2026-11-20')).toEqual([
        { ...count, surface: 'mcp' },
        { ...count, count: 5 },
      ])
    })

    test('sums what was settled in some time, exactly, by payer', async () => {
      const other = `0x${'0'.repeat(40)}`
      const sell = async (settledAt: number, change: object) => {
        const row = await claimed(ledger, change)
        await reach(ledger, row, { state: 'settled', settledAt })
        return row
      }
      // Over 2^53: a sum in floating point would be rounded.
      const large = 9_007_199_254_740_993n
      const delivered = await sell(2_000, { amount: large, items: 500 })
      await ledger.noteDelivered(delivered, 2_100, 9)
      await sell(2_999, { amount: 1_000n })
      await sell(2_500, { amount: 1_000n, surface: 'mcp', checkType: 'email' })
      await sell(2_500, { amount: 1_000n, payer: other })
      await sell(1_999, { amount: 1_000n })
      await sell(3_000, { amount: 1_000n })
      await claimed(ledger, { amount: 1_000n })
      const { payer } = newPayment()
      const sales = await ledger.sales(2_000, 3_000)
      expect(sales).toHaveLength(2)
      expect(sales).toContainEqual({
        ...{ payer, sales: 3, values: 502, delivered: 1 },
        revenue: large + 2_000n,
      })
      expect(sales).toContainEqual({
        ...{ payer: other, sales: 1, values: 1, delivered: 0 },
        revenue: 1_000n,
      })
      expect(await ledger.sales(0, 1_000)).toEqual([])
    })

    test('counts what is not over, and what the audit has not found', async () => {
      expect(await ledger.backlog()).toEqual(NO_BACKLOG)
      const states = ['settling', 'in_doubt', 'in_doubt', 'refused', 'void', 'settling', 'settling'] as const
      for (const [index, state] of states.entries()) {
        await reach(ledger, await claimed(ledger, { claimedAt: 1_000 + index }), { state })
      }
      for (let count = 0; count < 3; count++) await claimed(ledger)
      for (const [index, audit] of (['found', 'missing', null, null] as const).entries()) {
        const settledAt = 1_000 + 250 * index
        await reach(ledger, await claimed(ledger), { state: 'settled', settledAt, audit })
      }
      const alive = newTask({ expiresAt: Date.now() + 60_000 })
      await ledger.saveTask(alive, 10)
      const cancelled = newTask({ expiresAt: Date.now() + 60_000 })
      await ledger.saveTask(cancelled, 10)
      await ledger.endTask(cancelled.key, 'canceled', ENDED, 0)
      await ledger.saveTask(newTask(), 10)
      await ledger.claim(newPayment(), { kind: 'new', task: newTask({ expiresAt: Date.now() + 60_000 }) })
      expect(await ledger.backlog()).toEqual({
        claimed: 4,
        settling: 3,
        inDoubt: 2,
        refused: 1,
        inDoubtSince: 1_001,
        auditMissing: 1,
        auditPending: 2,
        auditPendingSince: 1_500,
        unpaidTasks: 1,
      })
    })

    test('lists what a person should look at, and no more than asked for', async () => {
      const options = { now: 5_000, undeliveredSince: 2_500, undeliveredBefore: 4_000, limit: 2 }
      expect(await ledger.attention(options)).toEqual({ inDoubt: [], missing: [], undelivered: [] })
      const nonces = (rows: readonly PaymentRow[]) => rows.map(({ nonce }) => nonce)
      const put = async (claimedAt: number, change: PaymentChange) => {
        const row = await claimed(ledger, { claimedAt })
        await reach(ledger, row, change)
        return row
      }
      const doubt = await put(1_002, { state: 'in_doubt' })
      const overdue = await put(1_001, { state: 'settling', leaseUntil: 5_000 })
      await put(1_000, { state: 'settling', leaseUntil: 5_001 })
      await put(1_000, { state: 'refused' })
      const missing = await put(900, { state: 'settled', settledAt: 3_000, audit: 'missing' })
      await ledger.noteDelivered(missing, 3_100, 9)
      const sold = (settledAt: number) => put(900, { state: 'settled', settledAt })
      await sold(2_499)
      await sold(2_500)
      const late = [await sold(3_500), await sold(3_999)]
      await sold(4_000)
      const found = await ledger.attention(options)
      expect(nonces(found.inDoubt)).toEqual(nonces([overdue, doubt]))
      expect(nonces(found.missing)).toEqual([missing.nonce])
      expect(nonces(found.undelivered)).toEqual(nonces(late.toReversed()))
    })

    test('lists the sales of some time that were not received, unless they were in doubt for longer than a month', async () => {
      const month = 30 * 86_400_000
      const [undeliveredSince, undeliveredBefore] = [2 * month, 2 * month + 1_000]
      const sold = async (nonce: string, settledAt: number, claimedAt = settledAt) =>
        reach(ledger, await claimed(ledger, { nonce, claimedAt }), { state: 'settled', settledAt })
      await sold('0x1', undeliveredSince - 1)
      await sold('0x2', undeliveredSince, month)
      await sold('0x3', undeliveredSince + 1, month - 1)
      await sold('0x4', undeliveredBefore - 1)
      await sold('0x5', undeliveredBefore)
      // Locked by guesses after it was delivered: it awaits an answer again.
      const locked = await sold('0x6', undeliveredSince)
      await ledger.noteDelivered(locked, undeliveredSince, 1)
      await ledger.noteRepeat(locked, true, 1)
      await reach(ledger, await claimed(ledger, { claimedAt: undeliveredSince }), { state: 'settling' })
      const options = { now: 0, undeliveredSince, undeliveredBefore, limit: 10 }
      const { undelivered } = await ledger.attention(options)
      expect(undelivered.map(({ nonce }) => nonce)).toEqual(['0x4', '0x2'])
    })

    test('lists by time what is in doubt or missing, whatever the nonces', async () => {
      const put = async (nonce: string, claimedAt: number, change: PaymentChange) =>
        reach(ledger, await claimed(ledger, { nonce, claimedAt }), change)
      await put('0x1', 2_000, { state: 'in_doubt' })
      await put('0x2', 1_000, { state: 'in_doubt' })
      for (const [nonce, settledAt] of [
        ['0x3', 5_000],
        ['0x4', 4_000],
        ['0x5', 3_000],
      ] as const)
        await put(nonce, 1_000, { state: 'settled', settledAt, audit: 'missing' })
      await put('0x6', 1_000, { state: 'settled', settledAt: 1_000, audit: 'found' })
      const options = { now: 9_000, undeliveredSince: 0, undeliveredBefore: 1, limit: 2 }
      const { inDoubt, missing, undelivered } = await ledger.attention(options)
      expect(undelivered).toEqual([])
      expect(inDoubt.map(({ nonce }) => nonce)).toEqual(['0x2', '0x1'])
      expect(missing.map(({ nonce }) => nonce)).toEqual(['0x5', '0x4'])
    })

    test('sums the sales of each payer in some time, the end not included', async () => {
      const other = `0x${'e'.repeat(40)}`
      const sell = async (settledAt: number, settlingAt: number, change: object = {}) => {
        const settling = await ledger.move(await claimed(ledger, change), { state: 'settling', settlingAt })
        if (settling === null) throw new Error('not moved')
        await ledger.move(settling, { state: 'settled', settledAt })
      }
      await sell(20_000, 15_000)
      await sell(20_000, 14_999)
      await sell(20_000, 19_000, { payer: other })
      await sell(29_999, 29_000, { payer: other })
      await sell(30_000, 29_000)
      await claimed(ledger)
      const sums = await ledger.sales(20_000, 30_000)
      expect(sums).toHaveLength(2)
      expect(sums.find(({ payer }) => payer === other)).toMatchObject({ payer: other, sales: 2 })
      expect(sums.find(({ payer }) => payer !== other)).toMatchObject({ sales: 2 })
    })
  })
}
