import { describe, expect, test } from 'vitest'
import type { Ledger } from '../../../src/ledger/ledger.ts'
import type { NewPayment } from '../../../src/ledger/payments/new-payment.ts'
import { claimed } from '../../support/ledger-rows.ts'
import { reach } from '../../support/reach-state.ts'
import { eachWithStore, type OpenStore } from '../each-with-store.ts'

/** What a payer is answered from: repeats, deliveries, and what still awaits an answer. */
export function describeAnswers(name: string, open: OpenStore): void {
  describe(`the ${name} ledger`, () => {
    let ledger: Ledger
    eachWithStore(open, (opened) => {
      ledger = opened
    })

    test('counts the repeats that asked for something else, and only those', async () => {
      const row = await claimed(ledger)
      expect(await ledger.noteRepeat(row, false, 3)).toBe(0)
      expect(await ledger.noteRepeat(row, true, 3)).toBe(1)
      expect(await ledger.noteRepeat(row, true, 3)).toBe(2)
      expect(await ledger.noteRepeat(row, false, 3)).toBe(2)
      // A row may be purged while its repeat is under way.
      expect(await ledger.noteRepeat({ ...row, nonce: `0x${'0'.repeat(64)}` }, true, 3)).toBe(0)
      expect(await ledger.find(row)).toMatchObject({ mismatches: 2 })
    })

    test('keeps the first time a reply was delivered, and what awaits an answer', async () => {
      const row = await claimed(ledger)
      expect(row).toMatchObject({ awaitsAnswer: true, deliveredAt: null })
      // Only of a settled row: a delivery that outlived the record of its sale would hide a row in doubt.
      await ledger.noteDelivered(row, 4_000, 2)
      expect(await ledger.find(row)).toEqual(row)
      await reach(ledger, row, { state: 'settled', settledAt: 4_500 })
      await ledger.noteDelivered(row, 5_000, 2)
      await ledger.noteDelivered(row, 6_000, 2)
      expect(await ledger.find(row)).toMatchObject({ awaitsAnswer: false, deliveredAt: 5_000 })
      await ledger.noteRepeat(row, true, 2)
      expect(await ledger.find(row)).toMatchObject({ awaitsAnswer: false })
      // Locked: from here on only a new authorization of the payer is answered.
      await ledger.noteRepeat(row, true, 2)
      expect(await ledger.find(row)).toMatchObject({ awaitsAnswer: true, deliveredAt: 5_000 })
      await ledger.noteDelivered(row, 7_000, 2)
      expect(await ledger.find(row)).toMatchObject({ awaitsAnswer: true, deliveredAt: 5_000 })
    })

    test('lists the newest 500 of a payer’s rows that await an answer', async () => {
      const payer = `0x${'e'.repeat(40)}`
      await Promise.all(
        Array.from({ length: 503 }, (_, at) => claimed(ledger, { payer, claimedAt: 1_000 + at })),
      )
      const found = (await ledger.unanswered(payer, 'iban', 0, 5_000)).map((row) => row.claimedAt)
      expect(found).toEqual(Array.from({ length: 500 }, (_, at) => 1_502 - at))
    })

    test('lists a payer’s rows of one type that await an answer, newest first', async () => {
      const payer = `0x${'c'.repeat(40)}`
      const expected: string[] = []
      for (const state of ['settling', 'refused', 'in_doubt', 'settled'] as const) {
        const row = await claimed(ledger, { payer, claimedAt: 1_000 + expected.length })
        await reach(ledger, row, { state, settledAt: 2_500 })
        expected.unshift(row.nonce)
      }
      const held = await claimed(ledger, { payer, claimedAt: 2_000 })
      await claimed(ledger, { payer, claimedAt: 2_001, owner: null })
      await reach(ledger, await claimed(ledger, { payer, claimedAt: 2_002 }), { state: 'void' })
      const answered = await reach(ledger, await claimed(ledger, { payer, claimedAt: 3_000 }), {
        state: 'settled',
        settledAt: 3_500,
      })
      await ledger.noteDelivered(answered, 5_000, 9)
      await reach(ledger, await claimed(ledger, { payer, claimedAt: 4_000, checkType: 'email' }), {
        state: 'in_doubt',
      })
      const nonces = (await ledger.unanswered(payer, 'iban', 0, 5_001)).map((row) => row.nonce)
      expect(nonces).toEqual([held.nonce, ...expected])
      expect(await ledger.unanswered(payer, 'iban', 1_500, 5_001)).toHaveLength(1)
      const since = (await ledger.unanswered(payer, 'iban', 1_500, 5_000)).map((row) => row.nonce)
      expect(since).toEqual([answered.nonce, held.nonce])
      expect(await ledger.unanswered(`0x${'d'.repeat(40)}`, 'iban', 0, 5_001)).toEqual([])
    })

    test('lists no payer’s row twice, of another type or payer, or without what it can be compared by', async () => {
      const payer = `0x${'c'.repeat(40)}`
      const put = async (change: Partial<NewPayment>, deliveredAt?: number) => {
        const row = await claimed(ledger, { payer, claimedAt: 1_000, ...change })
        const settled = await reach(ledger, row, { state: 'settled', settledAt: 2_000 })
        if (deliveredAt !== undefined) await ledger.noteDelivered(settled, deliveredAt, 1)
        return row
      }
      const wrong = { checkType: 'email', payer: `0x${'d'.repeat(40)}`, binding: null } as const
      for (const [member, value] of Object.entries(wrong)) {
        await put({ [member]: value })
        await put({ [member]: value }, 3_000)
      }
      const locked = await put({ claimedAt: 1_001 }, 3_000)
      await ledger.noteRepeat(locked, true, 1)
      const delivered = await put({}, 3_000)
      await put({ claimedAt: 999 })
      const found = await ledger.unanswered(payer, 'iban', 1_000, 3_000)
      expect(found.map(({ nonce }) => nonce)).toEqual([locked.nonce, delivered.nonce])
      const awaiting = await put({})
      const since = await ledger.unanswered(payer, 'iban', 1_000, 3_001)
      expect(since.map(({ nonce }) => nonce)).toEqual([locked.nonce, awaiting.nonce])
    })

    test('knows whether a payer has paid', async () => {
      const row = await claimed(ledger, { payer: `0x${'e'.repeat(40)}` })
      await claimed(ledger, { payer: row.payer })
      const settling = await reach(ledger, row, { state: 'settling' })
      expect(await ledger.hasSettled(row)).toBe(false)
      await reach(ledger, settling, { state: 'settled', settledAt: 1 })
      expect(await ledger.hasSettled({ ...row, nonce: 'any' })).toBe(true)
      expect(await ledger.hasSettled({ ...row, payer: `0x${'f'.repeat(40)}` })).toBe(false)
      expect(await ledger.hasSettled({ ...row, asset: 'another' })).toBe(false)
    })
  })
}
