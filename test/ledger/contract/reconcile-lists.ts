import { describe, expect, test } from 'vitest'
import type { Ledger } from '../../../src/ledger/ledger.ts'
import type { PaymentChange, PaymentRow } from '../../../src/ledger/payments/payment-row.ts'
import { claimed } from '../../support/ledger-rows.ts'
import { reach } from '../../support/reach-state.ts'
import { eachWithStore, type OpenStore } from '../each-with-store.ts'

/** What reconciling and the audit are given, page by page. */
export function describeReconcileLists(name: string, open: OpenStore): void {
  describe(`the ${name} ledger`, () => {
    let ledger: Ledger
    eachWithStore(open, (opened) => {
      ledger = opened
    })

    test('lists what the chain must be asked about, oldest first, and nothing under a live lease', async () => {
      const first = await claimed(ledger, { claimedAt: 1_000, leaseUntil: 10 })
      const second = await claimed(ledger, { claimedAt: 2_000, leaseUntil: 10 })
      const leased = await claimed(ledger, { claimedAt: 500, leaseUntil: 99_000 })
      await claimed(ledger, { claimedAt: 100, leaseUntil: 10 })
      await reach(ledger, second, { state: 'in_doubt' })
      await ledger.move(first, { state: 'settling' })
      await ledger.move(leased, { state: 'settling' })
      expect((await ledger.unresolved(50_000, 10)).map((row) => row.nonce)).toEqual([
        first.nonce,
        second.nonce,
      ])
      expect(await ledger.unresolved(50_000, 1)).toHaveLength(1)
    })

    test('lists a refused row once its lease is over, and rows by their time, whatever their nonces', async () => {
      const put = async (claimedAt: number, nonce: string, change: PaymentChange) =>
        reach(ledger, await claimed(ledger, { claimedAt, nonce }), change)
      await put(3_000, '0x1', { state: 'refused', leaseUntil: 5_000 })
      await put(2_000, '0x2', { state: 'in_doubt', leaseUntil: 0 })
      await put(1_000, '0x3', { state: 'refused', leaseUntil: 5_001 })
      const nonces = async (now: number) => (await ledger.unresolved(now, 10)).map(({ nonce }) => nonce)
      expect(await nonces(4_999)).toEqual(['0x2'])
      expect(await nonces(5_000)).toEqual(['0x2', '0x1'])
      expect(await nonces(5_001)).toEqual(['0x3', '0x2', '0x1'])
    })

    test('lists settled rows for the audit until they are audited', async () => {
      const row = await claimed(ledger)
      const settled = await reach(ledger, row, { state: 'settled', settledAt: 2_000 })
      expect(await ledger.unaudited(2_000, 10)).toEqual([])
      expect(await ledger.unaudited(2_001, 10)).toHaveLength(1)
      await ledger.move(settled, { audit: 'found' })
      expect(await ledger.unaudited(2_001, 10)).toEqual([])
    })

    test('pages through settled rows without losing any that share a time', async () => {
      for (let index = 0; index < 7; index += 1) {
        const row = await claimed(ledger)
        await reach(ledger, row, { state: 'settled', settledAt: 2_000 + (index % 2) })
      }
      const seen: string[] = []
      let page = await ledger.settled(0, 9_000, 3)
      while (page.length > 0) {
        seen.push(...page.map((row) => row.nonce))
        page = await ledger.settled(0, 9_000, 3, page.at(-1))
      }
      expect(new Set(seen).size).toBe(7)
      expect(seen).toHaveLength(7)
      expect(await ledger.settled(0, 2_000, 10)).toEqual([])
      const times = async (from: number, to: number, after?: PaymentRow) =>
        (await ledger.settled(from, to, 10, after)).map(({ settledAt }) => settledAt)
      expect(await times(2_001, 9_000)).toEqual([2_001, 2_001, 2_001])
      const [first] = await ledger.settled(0, 9_000, 1)
      expect(await times(0, 2_001, first)).toEqual([2_000, 2_000, 2_000])
    })

    test('pages through what is unresolved and unaudited, also when a row read before has moved on', async () => {
      const rows = await Promise.all(
        [0, 0, 1, 1, 2].map((step) =>
          claimed(ledger, { claimedAt: 1_000 + step, leaseUntil: 0, owner: null }),
        ),
      )
      for (const row of rows) await reach(ledger, row, { state: 'in_doubt' })
      const seen: string[] = []
      let page = await ledger.unresolved(50_000, 2)
      while (page.length > 0) {
        seen.push(...page.map((row) => row.nonce))
        const last = page.at(-1)!
        await reach(ledger, last, { state: 'settled', settledAt: 2_000 + last.claimedAt })
        page = await ledger.unresolved(50_000, 2, last)
      }
      expect(seen.toSorted()).toEqual(rows.map((row) => row.nonce).toSorted())

      const audited: string[] = []
      for (let next = await ledger.unaudited(9_000, 1); next.length > 0; ) {
        audited.push(...next.map((row) => row.nonce))
        next = await ledger.unaudited(9_000, 1, next[0]!)
      }
      expect(audited).toHaveLength(3)
      expect(new Set(audited).size).toBe(3)
    })
  })
}
