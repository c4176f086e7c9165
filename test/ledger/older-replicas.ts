import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Ledger } from '../../src/ledger/ledger.ts'
import type { NewPayment } from '../../src/ledger/payments/new-payment.ts'
import type { PaymentRow } from '../../src/ledger/payments/payment-row.ts'
import { newDeposit } from '../support/channel-rows.ts'
import { claimed } from '../support/ledger-rows.ts'
import { newPayment } from '../support/payment-rows.ts'
import { reach } from '../support/reach-state.ts'

/** Opens an empty store with a way to write what an older replica would. */
export type OpenRawStore = () => Promise<{
  readonly ledger: Ledger
  run(sql: string): Promise<readonly object[]>
  close(): Promise<void>
}>

/** Replicas of the version before serve beside this one on the same store. */
export function describeOlderReplicas(name: string, open: OpenRawStore): void {
  describe(`the ${name} ledger beside replicas that write \`unconfirmed\``, () => {
    let store: Awaited<ReturnType<OpenRawStore>>
    beforeEach(async () => {
      store = await open()
    })
    afterEach(() => store.close())

    const identifier = Buffer.alloc(32, 7)
    const unconfirmed = async (): Promise<PaymentRow> => {
      const row = await reach(store.ledger, await claimed(store.ledger, { identifier }), {
        state: 'in_doubt',
        owner: null,
        leaseUntil: 0,
      })
      await store.run(`update payments set state = 'unconfirmed' where nonce = '${row.nonce}'`)
      return (await store.ledger.find(row)) as PaymentRow
    }

    test('reads it as a doubt, everywhere', async () => {
      const { ledger } = store
      const row = await unconfirmed()
      expect(row).toMatchObject({ state: 'in_doubt', doubt: 'denied' })
      const nonces = (rows: readonly PaymentRow[]) => rows.map(({ nonce }) => nonce)
      expect(nonces(await ledger.unresolved(Date.now(), 10))).toEqual([row.nonce])
      expect(nonces(await ledger.unanswered(row.payer, row.checkType, 0, 0))).toEqual([row.nonce])
      expect((await ledger.findByIdentifier(identifier))?.nonce).toBe(row.nonce)
      expect(await ledger.backlog()).toMatchObject({ inDoubt: 1, inDoubtSince: row.claimedAt })
      const asked = { now: Date.now(), undeliveredSince: 0, undeliveredBefore: 0, limit: 10 }
      expect(nonces((await ledger.attention(asked)).inDoubt)).toEqual([row.nonce])
      // It holds its payment identifier against another row that would settle.
      const other = newPayment({ identifier, settlingAt: Date.now() })
      expect(await ledger.claim(other)).toMatchObject({ kind: 'held' })
      expect(await ledger.noteSent([row], `0x${'1'.repeat(64)}`)).toHaveLength(1)
    })

    test('tells since when the oldest row is in doubt, in whichever way it was written', async () => {
      const { ledger } = store
      const row = await unconfirmed()
      const put = async (claimedAt: number) =>
        reach(ledger, await claimed(ledger, { claimedAt }), { state: 'in_doubt' })
      await put(row.claimedAt + 1)
      expect(await ledger.backlog()).toMatchObject({ inDoubt: 2, inDoubtSince: row.claimedAt })
      await put(row.claimedAt - 1)
      expect(await ledger.backlog()).toMatchObject({ inDoubt: 3, inDoubtSince: row.claimedAt - 1 })
    })

    test.each(['in_doubt', 'settled', 'void'] as const)('moves it on to %s', async (state) => {
      const row = await unconfirmed()
      const held = await store.ledger.move(row, { owner: 'me', leaseUntil: 9, attempts: 2 })
      expect(held).toMatchObject({ state: 'in_doubt', attempts: 2 })
      expect(
        await store.ledger.move(held as PaymentRow, { state, owner: null, leaseUntil: 0 }),
      ).toMatchObject({ state })
      expect(await store.ledger.move(held as PaymentRow, { leaseUntil: 10 })).toBeNull()
    })

    test.each([
      'refused',
      'void',
    ])('knows nothing of a deposit that they keep as %s, and takes its nonce again', async (state) => {
      const { ledger } = store
      const deposit = newDeposit({ owner: null, leaseUntil: 0 })
      await ledger.claimDeposit(deposit)
      await store.run(`update channel_deposits set state = '${state}' where nonce = '${deposit.nonce}'`)
      expect(await ledger.findDeposit(deposit.payer, deposit.nonce)).toBeNull()
      expect(await ledger.depositsWith(deposit.channel, deposit.voucher)).toEqual([])
      const again = {
        ...deposit,
        ...{ amount: 5n, voucher: 2_000n, validBefore: 300, owner: 'boot-2', leaseUntil: 9, claimedAt: 7 },
      }
      expect(await ledger.claimDeposit(again)).toEqual(again)
      expect(await ledger.findDeposit(deposit.payer, deposit.nonce)).toEqual(again)
      expect(await ledger.claimDeposit(deposit)).toBeNull()
    })

    const restored = { origin: 'restored', validBefore: null, owner: null, leaseUntil: 0 } as const
    const settled = async (change: Partial<NewPayment> = {}) =>
      reach(store.ledger, await claimed(store.ledger, change), { state: 'settled', settledAt: 1 })
    const numbers = async ({ nonce }: PaymentRow) => {
      const asked = `select origin, valid_before, lease_until from payments where nonce = '${nonce}'`
      const [row] = (await store.run(asked)) as Record<string, unknown>[]
      return [row?.origin, Number(row?.valid_before), Number(row?.lease_until)]
    }

    test('knows by its numbers what they restored, and what they bound to a call', async () => {
      const { ledger } = store
      const [sale, row] = [await settled(), await settled(restored)]
      await store.run('update payments set origin = null')
      expect(await ledger.find(sale)).toMatchObject({ origin: 'sale' })
      expect(await ledger.find(row)).toMatchObject({ origin: 'restored', validBefore: null })
      await store.run(`update payments set lease_until = 1 where nonce = '${row.nonce}'`)
      expect(await ledger.find(row)).toMatchObject({ origin: 'adopted' })
      await store.run(`update payments set origin = 'restored' where nonce = '${row.nonce}'`)
      const adopted = (await ledger.find(row)) as PaymentRow
      expect(adopted).toMatchObject({ origin: 'adopted' })
      expect(await ledger.move(adopted, { audit: 'found' })).toMatchObject({ origin: 'adopted' })
    })

    test('knows what they are restoring, and settles it', async () => {
      const row = await claimed(store.ledger, { ...restored, settlingAt: 1 })
      await store.run('update payments set origin = null')
      const seen = (await store.ledger.find(row)) as PaymentRow
      expect(seen).toMatchObject({ state: 'settling', origin: 'restored' })
      expect(await store.ledger.move(seen, { state: 'settled' })).toMatchObject({ origin: 'restored' })
    })

    test('writes the numbers by which they know a restored payment, and that it is bound', async () => {
      const row = await settled(restored)
      expect(await numbers(row)).toEqual(['restored', 0, 0])
      const adopted = await store.ledger.move(row, { origin: 'adopted', owner: null, leaseUntil: 0 })
      expect(adopted).toMatchObject({ origin: 'adopted', validBefore: null })
      expect(await numbers(row)).toEqual(['adopted', 0, 1])
      expect(await store.ledger.move(row, { origin: 'adopted' })).toBeNull()
      expect((await numbers(await settled()))[0]).toBe('sale')
    })

    test('writes a state that they know, which they reconcile and send again alike', async () => {
      const row = await reach(store.ledger, await claimed(store.ledger), {
        state: 'in_doubt',
        doubt: 'denied',
      })
      expect(await store.run(`select state, doubt from payments where nonce = '${row.nonce}'`)).toEqual([
        { state: 'in_doubt', doubt: 'denied' },
      ])
    })
  })
}
