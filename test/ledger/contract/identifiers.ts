import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Ledger } from '../../../src/ledger/ledger.ts'
import type { PaymentRow, PaymentState } from '../../../src/ledger/payments/payment-row.ts'
import { claimed, newTask } from '../../support/ledger-rows.ts'
import { newPayment } from '../../support/payment-rows.ts'
import { reach } from '../../support/reach-state.ts'
import { eachWithStore, type OpenStore } from '../each-with-store.ts'

/** The payment identifiers that clients choose. */
export function describeIdentifiers(name: string, open: OpenStore): void {
  describe(`the ${name} ledger`, () => {
    let ledger: Ledger
    eachWithStore(open, (opened) => {
      ledger = opened
    })

    test('settles one row per payment identifier, while one is or was sold under it', async () => {
      const identifier = randomBytes(32)
      const [first, second, other] = [
        await claimed(ledger, { identifier }),
        await claimed(ledger, { identifier }),
        await claimed(ledger, { identifier: randomBytes(32) }),
      ]
      const settle = (row: PaymentRow) => ledger.move(row, { state: 'settling' })
      const settling = await Promise.all([settle(first), settle(second), settle(other)])
      expect(settling.filter((row) => row !== null)).toHaveLength(2)
      const winner = settling[0] ?? settling[1]!
      const loser = winner.nonce === first.nonce ? second : first
      for (const state of ['in_doubt', 'settled'] as const) {
        await ledger.move((await ledger.find(winner))!, { state, settledAt: 2_000 })
        expect(await settle(loser)).toBeNull()
      }
      expect((await ledger.find(loser))?.state).toBe('claimed')
    })

    test('writes no row as settling while another holds its payment identifier', async () => {
      const identifier = randomBytes(32)
      const holder = await claimed(ledger, { identifier, settlingAt: 2_000 })
      const task = newTask()
      for (const state of ['settling', 'in_doubt', 'settled'] as const) {
        if (state !== 'settling')
          await reach(ledger, (await ledger.find(holder))!, { state, settledAt: 2_500 })
        const second = newPayment({ identifier, settlingAt: 2_000 })
        expect(await ledger.claim(second)).toEqual({ kind: 'held' })
        expect(await ledger.claim(second, { kind: 'new', task })).toEqual({ kind: 'held' })
        expect(await ledger.find(second)).toBeNull()
        expect(await ledger.findTask(task.key)).toBeNull()
      }
      const other = newPayment({ identifier: randomBytes(32), settlingAt: 2_000 })
      expect(await ledger.claim(other)).toMatchObject({ kind: 'claimed' })
    })

    test('claims and releases rows under a payment identifier that another row holds', async () => {
      const identifier = randomBytes(32)
      await claimed(ledger, { identifier, settlingAt: 2_000 })
      const second = await claimed(ledger, { identifier })
      const released = { owner: null, leaseUntil: 0 } as const
      expect(await ledger.move(second, released)).toMatchObject({ state: 'claimed', ...released })
    })

    test('frees a payment identifier when its row is refused, dead, or given back', async () => {
      const identifier = randomBytes(32)
      const second = await claimed(ledger, { identifier })
      for (const state of ['refused', 'void', 'claimed'] as const) {
        await reach(ledger, await claimed(ledger, { identifier }), { state })
        const mine = await ledger.move((await ledger.find(second))!, { state: 'settling' })
        expect(mine).not.toBeNull()
        await ledger.move(mine!, { state: 'claimed' })
      }
    })

    test('finds a row by its payment identifier', async () => {
      const identifier = randomBytes(32)
      const row = await claimed(ledger, { identifier })
      expect((await ledger.findByIdentifier(identifier))?.nonce).toBe(row.nonce)
      expect(await ledger.findByIdentifier(randomBytes(32))).toBeNull()
    })

    test('finds the row closest to a sale under a payment identifier; of several, the newest', async () => {
      const identifier = randomBytes(32)
      const put = async (claimedAt: number, state: PaymentState = 'claimed') =>
        reach(ledger, await claimed(ledger, { identifier, claimedAt }), { state })
      const isFound = async (row: PaymentRow) =>
        expect((await ledger.findByIdentifier(identifier))?.nonce).toBe(row.nonce)
      const refused = await put(9_000, 'refused')
      await put(8_000, 'void')
      await isFound(refused)
      await isFound(await put(5_000))
      await put(4_000)
      const newest = await put(6_000)
      await isFound(newest)
      const sold = await put(1_000, 'settling')
      await isFound(sold)
      await isFound(await reach(ledger, sold, { state: 'in_doubt' }))
      await reach(ledger, (await ledger.find(sold))!, { state: 'settled', settledAt: 2_000 })
      await isFound(sold)
    })
  })
}
