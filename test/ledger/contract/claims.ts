import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Ledger } from '../../../src/ledger/ledger.ts'
import type { PaymentChange, PaymentKey, PaymentRow } from '../../../src/ledger/payments/payment-row.ts'
import { IllegalTransition } from '../../../src/ledger/payments/transitions.ts'
import { attached, claimed, newTask } from '../../support/ledger-rows.ts'
import { newPayment } from '../../support/payment-rows.ts'
import { reach } from '../../support/reach-state.ts'
import { eachWithStore, type OpenStore } from '../each-with-store.ts'

const keyOf = ({ network, asset, payer, nonce }: PaymentKey) => ({ network, asset, payer, nonce })

/** Which process has a row, and how the row moves. */
export function describeClaims(name: string, open: OpenStore): void {
  describe(`the ${name} ledger`, () => {
    let ledger: Ledger
    eachWithStore(open, (opened) => {
      ledger = opened
    })

    test('gives back every member of a claim', async () => {
      const rare = { signatureMac: randomBytes(32), claimedBlock: 5n, shape: 'list', items: 3 } as const
      for (const change of [{}, rare]) {
        const payment = newPayment({ identifier: randomBytes(32), taskKey: 'k', ...change })
        const outcome = await ledger.claim(payment)
        const row = {
          ...payment,
          ...{ state: 'claimed', attempts: 0, refusal: null, doubt: null, transaction: null },
          ...{ logIndex: null, audit: null, mismatches: 0, awaitsAnswer: true },
          ...{ settledAt: null, deliveredAt: null },
        }
        expect(outcome).toEqual({ kind: 'claimed', row })
        expect(await ledger.find(payment)).toEqual(row)
      }
    })

    test('gives back every member of a change', async () => {
      const row = await claimed(ledger)
      const change = {
        ...{ state: 'settling', owner: 'boot-2', leaseUntil: 40_000, attempts: 2, refusal: 'gas' },
        ...{ doubt: 'denied', transaction: '0x1', logIndex: 3, audit: 'missing', surface: 'mcp' },
        ...{ checkType: 'email', ruleset: 'r2', shape: 'list', items: 4, bindingKey: 'key', taskKey: 'task' },
        ...{ salt: randomBytes(16), binding: randomBytes(32), signatureMac: randomBytes(32) },
        ...{ identifier: randomBytes(32), claimedAt: 1_500, settlingAt: 2_500, settledAt: 3_500 },
      } as const satisfies PaymentChange
      expect(await ledger.move(row, change)).toEqual({ ...row, ...change })
      expect(await ledger.find(row)).toEqual({ ...row, ...change })
    })

    test('writes a row that is about to be sent in one step', async () => {
      const payment = newPayment({ settlingAt: 2_000 })
      const outcome = await ledger.claim(payment)
      expect(outcome).toMatchObject({
        kind: 'claimed',
        row: { ...payment, state: 'settling', attempts: 1, settlingAt: 2_000 },
      })
      expect(await ledger.claim(payment)).toMatchObject({ kind: 'known', row: { state: 'settling' } })
    })

    test('shows at once what waits for no flush', async () => {
      const row = await claimed(ledger, { settlingAt: 2_000 })
      const change = { state: 'settled', settledAt: 3_000 } as const
      const settled = await ledger.moveUnflushed(row, change)
      expect(await ledger.find(row)).toEqual(settled)
      expect(await ledger.moveUnflushed(row, change)).toBeNull()
    })

    test('lets exactly one of fifty concurrent claims win', async () => {
      const payment = newPayment()
      const outcomes = await Promise.all(
        Array.from({ length: 50 }, (_, index) => ledger.claim({ ...payment, owner: `boot-${index}` })),
      )
      expect(outcomes.filter((outcome) => outcome.kind === 'claimed')).toHaveLength(1)
      expect(outcomes.filter((outcome) => outcome.kind === 'known')).toHaveLength(49)
    })

    test('knows no row it was not given', async () => {
      expect(await ledger.find(newPayment())).toBeNull()
    })

    test('takes payments that differ in one member of their key for different ones', async () => {
      const payment = newPayment({ settlingAt: 2_000 })
      const row = await claimed(ledger, payment)
      const others: PaymentRow[] = []
      for (const member of ['network', 'asset', 'payer', 'nonce'] as const)
        others.push(await claimed(ledger, { ...payment, [member]: `another ${member}` }))
      expect(await ledger.noteSent([row], '0xaa')).toEqual([keyOf(row)])
      expect(await ledger.noteRepeat(row, true, 9)).toBe(1)
      await ledger.move(row, { state: 'settled', settledAt: 3_000 })
      await ledger.noteDelivered(row, 4_000, 9)
      expect(await ledger.find(row)).toEqual({
        ...row,
        ...{ state: 'settled', transaction: '0xaa', mismatches: 1, awaitsAnswer: false },
        ...{ settledAt: 3_000, deliveredAt: 4_000 },
      })
      for (const other of others) expect(await ledger.find(other)).toEqual(other)
      expect(await Promise.all(others.map(ledger.hasSettled))).toEqual([false, false, false, true])
    })

    test('moves a row only if its state, owner and lease are still those that were seen', async () => {
      const row = await claimed(ledger)
      const settling = await ledger.move(row, { state: 'settling', settlingAt: 2_000 })
      expect(settling).toMatchObject({ state: 'settling', settlingAt: 2_000 })
      expect(await ledger.move(row, { state: 'settling' })).toBeNull()
      expect(await ledger.move({ ...settling!, owner: 'boot-2' }, { state: 'void' })).toBeNull()
      expect(await ledger.move({ ...settling!, leaseUntil: 1 }, { state: 'void' })).toBeNull()
      expect((await ledger.find(row))?.state).toBe('settling')
    })

    test('moves a row without an owner', async () => {
      const row = await claimed(ledger)
      const freed = await ledger.move(row, { owner: null, leaseUntil: 0 })
      expect(await ledger.move(freed!, { owner: 'boot-2', leaseUntil: 5 })).toMatchObject({ owner: 'boot-2' })
    })

    test('hands a row without a live owner to one new owner, together with its task', async () => {
      const freed = await ledger.move(await claimed(ledger), { owner: null, leaseUntil: 0 })
      const task = newTask()
      await ledger.saveTask(task, 10)
      const attachment = attached(task.key)
      const takeOver = (owner: string) =>
        ledger.reclaim(
          freed!,
          { owner, leaseUntil: 9_000, checkType: 'email', taskKey: task.key },
          attachment,
        )
      const outcomes = await Promise.all([takeOver('boot-2'), takeOver('boot-3')])
      expect(outcomes.map((outcome) => outcome.kind).toSorted()).toEqual(['claimed', 'known'])
      expect(await ledger.find(freed!)).toMatchObject({
        checkType: 'email',
        taskKey: task.key,
        state: 'claimed',
      })
      expect(await ledger.findTask(task.key)).toMatchObject({ payment: { nonce: freed!.nonce } })
    })

    test('takes over nothing when the task belongs to another payment', async () => {
      const task = newTask()
      await ledger.claim(newPayment(), { kind: 'new', task })
      const freed = await ledger.move(await claimed(ledger), { owner: null, leaseUntil: 0 })
      const attachment = attached(task.key)
      expect(await ledger.reclaim(freed!, { owner: 'boot-2' }, attachment)).toMatchObject({
        kind: 'task_taken',
      })
      expect((await ledger.find(freed!))?.owner).toBeNull()
    })

    test('lets one of many concurrent moves win', async () => {
      const row = await claimed(ledger)
      const moved = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          ledger.move(row, { owner: `boot-${index}`, state: 'settling' }),
        ),
      )
      expect(moved.filter((outcome) => outcome !== null)).toHaveLength(1)
    })

    test('settles one row per chain log, and many rows per transaction', async () => {
      const rows = [{}, {}, {}, {}, { network: 'eip155:84532' }].map((change) => claimed(ledger, change))
      const transaction = `0x${'1'.repeat(64)}`
      const settling = await Promise.all(
        (await Promise.all(rows)).map((row) => ledger.move(row, { state: 'settling' })),
      )
      const settle = (at: number, change: PaymentChange) =>
        ledger.move(settling[at]!, { state: 'settled', transaction, settledAt: 3_000, ...change })
      expect(await settle(0, { logIndex: 4 })).not.toBeNull()
      expect(await settle(1, { logIndex: 4 })).toBeNull()
      expect(await settle(1, { logIndex: 6 })).not.toBeNull()
      expect(await settle(2, {})).not.toBeNull()
      expect(await settle(3, { logIndex: 4, transaction: `0x${'2'.repeat(64)}` })).not.toBeNull()
      expect(await settle(4, { logIndex: 4 })).not.toBeNull()
    })

    test('refuses a change that is not in the table of transitions, as a defect', async () => {
      const row = await claimed(ledger)
      await expect(ledger.move(row, { state: 'settled' })).rejects.toThrow(IllegalTransition)
      await expect(ledger.reclaim(row, { state: 'void' })).rejects.toThrow(IllegalTransition)
      const settled = await reach(ledger, row, { state: 'settled', transaction: '0x1', settledAt: 1 })
      await expect(ledger.move(settled, { state: 'claimed' })).rejects.toThrow(IllegalTransition)
      await expect(ledger.move(settled, { settledAt: 2 })).rejects.toThrow(IllegalTransition)
      expect(await ledger.find(row)).toEqual(settled)
    })

    test('notes the transaction about to be sent only while a settlement is under way', async () => {
      const row = await claimed(ledger)
      expect(await ledger.noteSent([row], '0xaa')).toEqual([])
      const settling = await ledger.move(row, { state: 'settling' })
      expect(await ledger.noteSent([row], '0xaa')).toEqual([keyOf(row)])
      expect(await ledger.find(row)).toMatchObject({
        state: 'settling',
        transaction: '0xaa',
        owner: 'boot-1',
      })
      expect(await ledger.move(settling!, { state: 'in_doubt', owner: null, leaseUntil: 0 })).not.toBeNull()
      expect(await ledger.noteSent([newPayment(), row], '0xbb')).toEqual([keyOf(row)])
      const doubtful = await ledger.find(row)
      await ledger.move(doubtful!, { state: 'settled', transaction: '0xcc', settledAt: 2_000 })
      expect(await ledger.noteSent([row], '0xdd')).toEqual([])
      expect(await ledger.noteSent([newPayment()], '0xdd')).toEqual([])
      expect(await ledger.find(row)).toMatchObject({ transaction: '0xcc' })
    })

    test('moves a row that must be unsent only while no transaction is noted on it', async () => {
      const [sent, unsent] = [await claimed(ledger), await claimed(ledger)]
      const before = { state: 'claimed', owner: null, leaseUntil: 0 } as const
      const settling = (await ledger.move(sent, { state: 'settling' }))!
      await ledger.noteSent([sent], '0xaa')
      expect(await ledger.move(settling, before, { ifUnsent: true })).toBeNull()
      expect(await ledger.move(settling, before, { ifUnsent: true })).toBeNull()
      expect(await ledger.find(sent)).toMatchObject({
        state: 'settling',
        owner: 'boot-1',
        transaction: '0xaa',
      })
      const other = (await ledger.move(unsent, { state: 'settling' }))!
      expect(await ledger.move(other, before, { ifUnsent: true })).toMatchObject({ state: 'claimed' })
    })
  })
}
