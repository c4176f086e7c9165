import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { bindingKeyName } from '../../src/ledger/binding-key.ts'
import type { Ledger } from '../../src/ledger/ledger.ts'
import type { PaymentChange, PaymentRow } from '../../src/ledger/payment-row.ts'
import type { NewTask } from '../../src/ledger/task-row.ts'
import { IllegalTransition } from '../../src/ledger/transitions.ts'
import { NO_BACKLOG } from '../support/no-backlog.ts'
import { newPayment } from '../support/payment-rows.ts'
import { reach } from '../support/reach-state.ts'
import { eachWithStore, type OpenStore } from './each-with-store.ts'

/** What is left of the blob of a task that ends. */
const ENDED = Buffer.from('ended')

/** The behaviour every ledger adapter has to show; run once per adapter. */
export function describeLedger(name: string, open: OpenStore): void {
  describe(`the ${name} ledger`, () => {
    let ledger: Ledger
    eachWithStore(open, (opened) => {
      ledger = opened
    })

    const claimed = async (change = {}): Promise<PaymentRow> => {
      const outcome = await ledger.claim(newPayment(change))
      if (outcome.kind !== 'claimed') throw new Error(outcome.kind)
      return outcome.row
    }
    const newTask = (change: Partial<NewTask> = {}): NewTask => ({
      key: randomBytes(32).toString('hex'),
      sealed: randomBytes(64),
      createdAt: 1_000,
      expiresAt: 60_000,
      ...change,
    })

    test('gives back every member of a claim', async () => {
      const payment = newPayment({ identifier: randomBytes(32), taskKey: 'k' })
      const outcome = await ledger.claim(payment)
      expect(outcome).toMatchObject({ kind: 'claimed', row: { ...payment, state: 'claimed', attempts: 0 } })
      expect(await ledger.find(payment)).toEqual(outcome.kind === 'claimed' ? outcome.row : null)
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
      const row = await claimed({ settlingAt: 2_000 })
      const change = { state: 'settled', settledAt: 3_000 } as const
      const settled = await ledger.move(row, change, { durable: false })
      expect(await ledger.find(row)).toEqual(settled)
      expect(await ledger.move(row, change, { durable: false })).toBeNull()
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

    test('moves a row only if its state, owner and lease are still those that were seen', async () => {
      const row = await claimed()
      const settling = await ledger.move(row, { state: 'settling', settlingAt: 2_000 })
      expect(settling).toMatchObject({ state: 'settling', settlingAt: 2_000 })
      expect(await ledger.move(row, { state: 'settling' })).toBeNull()
      expect(await ledger.move({ ...settling!, owner: 'boot-2' }, { state: 'void' })).toBeNull()
      expect(await ledger.move({ ...settling!, leaseUntil: 1 }, { state: 'void' })).toBeNull()
      expect((await ledger.find(row))?.state).toBe('settling')
    })

    test('moves a row without an owner', async () => {
      const row = await claimed()
      const freed = await ledger.move(row, { owner: null, leaseUntil: 0 })
      expect(await ledger.move(freed!, { owner: 'boot-2', leaseUntil: 5 })).toMatchObject({ owner: 'boot-2' })
    })

    test('hands a row without a live owner to one new owner, together with its task', async () => {
      const freed = await ledger.move(await claimed(), { owner: null, leaseUntil: 0 })
      const task = newTask()
      await ledger.saveTask(task, 10)
      const attachment = { kind: 'existing', key: task.key, expiresAt: 90_000, now: 2_000 } as const
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
      const freed = await ledger.move(await claimed(), { owner: null, leaseUntil: 0 })
      const attachment = { kind: 'existing', key: task.key, expiresAt: 90_000, now: 2_000 } as const
      expect(await ledger.reclaim(freed!, { owner: 'boot-2' }, attachment)).toMatchObject({
        kind: 'task_taken',
      })
      expect((await ledger.find(freed!))?.owner).toBeNull()
    })

    test('lets one of many concurrent moves win', async () => {
      const row = await claimed()
      const moved = await Promise.all(
        Array.from({ length: 20 }, (_, index) =>
          ledger.move(row, { owner: `boot-${index}`, state: 'settling' }),
        ),
      )
      expect(moved.filter((outcome) => outcome !== null)).toHaveLength(1)
    })

    test('settles one row per chain log, and many rows per transaction', async () => {
      const [first, second, third] = [await claimed(), await claimed(), await claimed()]
      const transaction = `0x${'1'.repeat(64)}`
      const settling = await Promise.all(
        [first, second, third].map((row) => ledger.move(row, { state: 'settling' })),
      )
      const settle = (at: number, change: PaymentChange) =>
        ledger.move(settling[at]!, { state: 'settled', transaction, settledAt: 3_000, ...change })
      expect(await settle(0, { logIndex: 4 })).not.toBeNull()
      expect(await settle(1, { logIndex: 4 })).toBeNull()
      expect(await settle(1, { logIndex: 6 })).not.toBeNull()
      expect(await settle(2, {})).not.toBeNull()
    })

    test('counts the repeats that asked for something else, and only those', async () => {
      const row = await claimed()
      expect(await ledger.noteRepeat(row, false, 3)).toBe(0)
      expect(await ledger.noteRepeat(row, true, 3)).toBe(1)
      expect(await ledger.noteRepeat(row, true, 3)).toBe(2)
      expect(await ledger.noteRepeat(row, false, 3)).toBe(2)
      expect(await ledger.find(row)).toMatchObject({ mismatches: 2 })
    })

    test('keeps the first time a reply was delivered, and what awaits an answer', async () => {
      const row = await claimed()
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
      await Promise.all(Array.from({ length: 503 }, (_, at) => claimed({ payer, claimedAt: 1_000 + at })))
      const found = (await ledger.unanswered(payer, 'iban', 0, 5_000)).map((row) => row.claimedAt)
      expect(found).toEqual(Array.from({ length: 500 }, (_, at) => 1_502 - at))
    })

    test('lists a payer’s rows of one type that await an answer, newest first', async () => {
      const payer = `0x${'c'.repeat(40)}`
      const expected: string[] = []
      for (const state of ['settling', 'refused', 'unconfirmed', 'in_doubt', 'settled'] as const) {
        const row = await claimed({ payer, claimedAt: 1_000 + expected.length })
        await reach(ledger, row, { state, settledAt: 2_500 })
        expected.unshift(row.nonce)
      }
      const held = await claimed({ payer, claimedAt: 2_000 })
      await claimed({ payer, claimedAt: 2_001, owner: null })
      await reach(ledger, await claimed({ payer, claimedAt: 2_002 }), { state: 'void' })
      const answered = await reach(ledger, await claimed({ payer, claimedAt: 3_000 }), {
        state: 'settled',
        settledAt: 3_500,
      })
      await ledger.noteDelivered(answered, 5_000, 9)
      await reach(ledger, await claimed({ payer, claimedAt: 4_000, checkType: 'email' }), {
        state: 'in_doubt',
      })
      const nonces = (await ledger.unanswered(payer, 'iban', 0, 5_001)).map((row) => row.nonce)
      expect(nonces).toEqual([held.nonce, ...expected])
      expect(await ledger.unanswered(payer, 'iban', 1_500, 5_001)).toHaveLength(1)
      const since = (await ledger.unanswered(payer, 'iban', 1_500, 5_000)).map((row) => row.nonce)
      expect(since).toEqual([answered.nonce, held.nonce])
      expect(await ledger.unanswered(`0x${'d'.repeat(40)}`, 'iban', 0, 5_001)).toEqual([])
    })

    test('knows whether a payer has paid', async () => {
      const row = await claimed({ payer: `0x${'e'.repeat(40)}` })
      await claimed({ payer: row.payer })
      const settling = await reach(ledger, row, { state: 'settling' })
      expect(await ledger.hasSettled(row)).toBe(false)
      await reach(ledger, settling, { state: 'settled', settledAt: 1 })
      expect(await ledger.hasSettled({ ...row, nonce: 'any' })).toBe(true)
      expect(await ledger.hasSettled({ ...row, payer: `0x${'f'.repeat(40)}` })).toBe(false)
      expect(await ledger.hasSettled({ ...row, asset: 'another' })).toBe(false)
    })

    test('refuses a change that is not in the table of transitions, as a defect', async () => {
      const row = await claimed()
      await expect(ledger.move(row, { state: 'settled' })).rejects.toThrow(IllegalTransition)
      await expect(ledger.reclaim(row, { state: 'void' })).rejects.toThrow(IllegalTransition)
      const settled = await reach(ledger, row, { state: 'settled', transaction: '0x1', settledAt: 1 })
      await expect(ledger.move(settled, { state: 'claimed' })).rejects.toThrow(IllegalTransition)
      await expect(ledger.move(settled, { settledAt: 2 })).rejects.toThrow(IllegalTransition)
      expect(await ledger.find(row)).toEqual(settled)
    })

    test('releases the task of a claim that another request takes over', async () => {
      const [first, second] = [newTask(), newTask()]
      const payment = newPayment({ owner: null, leaseUntil: 0, taskKey: first.key })
      const outcome = await ledger.claim(payment, { kind: 'new', task: first })
      await ledger.saveTask(second, 10)
      const attachment = { kind: 'existing', key: second.key, expiresAt: 90_000, now: 2_000 } as const
      const row = outcome.kind === 'claimed' ? outcome.row : null
      await ledger.reclaim(row!, { owner: 'boot-2', taskKey: second.key }, attachment)
      expect(await ledger.findTask(first.key)).toMatchObject({ payment: null })
      expect(await ledger.findTask(second.key)).toMatchObject({ payment: { nonce: payment.nonce } })
      const again = await ledger.find(payment)
      await ledger.reclaim(again!, { owner: 'boot-3', taskKey: null })
      expect(await ledger.findTask(second.key)).toMatchObject({ payment: null })
    })

    test('ends a task whose claim no process works on, and takes it from the claim', async () => {
      const task = newTask()
      const payment = newPayment({ taskKey: task.key, leaseUntil: 5_000 })
      await ledger.claim(payment, { kind: 'new', task })
      expect(await ledger.endTask(task.key, 'canceled', ENDED, 4_999)).toBe(false)
      expect(await ledger.endTask(task.key, 'canceled', ENDED, 5_000)).toBe(true)
      expect(await ledger.find(payment)).toMatchObject({ taskKey: null })
      expect(await ledger.findTask(task.key)).toMatchObject({
        payment: null,
        ended: 'canceled',
        sealed: ENDED,
      })
    })

    test('tells the time', () => {
      expect(Math.abs(ledger.clock.now() - Date.now())).toBeLessThan(60_000)
    })

    test('settles one row per payment identifier, while one is or was sold under it', async () => {
      const identifier = randomBytes(32)
      const [first, second, other] = [
        await claimed({ identifier }),
        await claimed({ identifier }),
        await claimed({ identifier: randomBytes(32) }),
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
      const holder = await claimed({ identifier, settlingAt: 2_000 })
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

    test('frees a payment identifier when its row is refused, dead, or given back', async () => {
      const identifier = randomBytes(32)
      const second = await claimed({ identifier })
      for (const state of ['refused', 'void', 'claimed'] as const) {
        await reach(ledger, await claimed({ identifier }), { state })
        const mine = await ledger.move((await ledger.find(second))!, { state: 'settling' })
        expect(mine).not.toBeNull()
        await ledger.move(mine!, { state: 'claimed' })
      }
    })

    test('finds a row by its payment identifier', async () => {
      const identifier = randomBytes(32)
      const row = await claimed({ identifier })
      expect((await ledger.findByIdentifier(identifier))?.nonce).toBe(row.nonce)
      const later = await claimed({ identifier, claimedAt: 500 })
      await reach(ledger, later, { state: 'settled', settledAt: 2_000 })
      expect((await ledger.findByIdentifier(identifier))?.nonce).toBe(later.nonce)
      expect(await ledger.findByIdentifier(randomBytes(32))).toBeNull()
    })

    test('lists what the chain must be asked about, oldest first, and nothing under a live lease', async () => {
      const first = await claimed({ claimedAt: 1_000, leaseUntil: 10 })
      const second = await claimed({ claimedAt: 2_000, leaseUntil: 10 })
      const leased = await claimed({ claimedAt: 500, leaseUntil: 99_000 })
      await claimed({ claimedAt: 100, leaseUntil: 10 })
      await reach(ledger, second, { state: 'in_doubt' })
      await ledger.move(first, { state: 'settling' })
      await ledger.move(leased, { state: 'settling' })
      expect((await ledger.unresolved(50_000, 10)).map((row) => row.nonce)).toEqual([
        first.nonce,
        second.nonce,
      ])
      expect(await ledger.unresolved(50_000, 1)).toHaveLength(1)
    })

    test('lists settled rows for the audit until they are audited', async () => {
      const row = await claimed()
      const settled = await reach(ledger, row, { state: 'settled', settledAt: 2_000 })
      expect(await ledger.unaudited(2_000, 10)).toEqual([])
      expect(await ledger.unaudited(2_001, 10)).toHaveLength(1)
      await ledger.move(settled, { audit: 'found' })
      expect(await ledger.unaudited(2_001, 10)).toEqual([])
    })

    test('pages through settled rows without losing any that share a time', async () => {
      for (let index = 0; index < 7; index += 1) {
        const row = await claimed()
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
    })

    test('pages through what is unresolved and unaudited, also when a row read before has moved on', async () => {
      const rows = await Promise.all(
        [0, 0, 1, 1, 2].map((step) => claimed({ claimedAt: 1_000 + step, leaseUntil: 0, owner: null })),
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

    test('notes the transaction about to be sent only while a settlement is under way', async () => {
      const row = await claimed()
      expect(await ledger.noteSent(row, '0xaa')).toBe(false)
      const settling = await ledger.move(row, { state: 'settling' })
      expect(await ledger.noteSent(row, '0xaa')).toBe(true)
      expect(await ledger.find(row)).toMatchObject({
        state: 'settling',
        transaction: '0xaa',
        owner: 'boot-1',
      })
      expect(await ledger.move(settling!, { state: 'in_doubt', owner: null, leaseUntil: 0 })).not.toBeNull()
      expect(await ledger.noteSent(row, '0xbb')).toBe(true)
      const doubtful = await ledger.find(row)
      await ledger.move(doubtful!, { state: 'settled', transaction: '0xcc', settledAt: 2_000 })
      expect(await ledger.noteSent(row, '0xdd')).toBe(false)
      expect(await ledger.noteSent(newPayment(), '0xdd')).toBe(false)
      expect(await ledger.find(row)).toMatchObject({ transaction: '0xcc' })
    })

    test('moves a row that must be unsent only while no transaction is noted on it', async () => {
      const [sent, unsent] = [await claimed(), await claimed()]
      const before = { state: 'claimed', owner: null, leaseUntil: 0 } as const
      const settling = (await ledger.move(sent, { state: 'settling' }))!
      await ledger.noteSent(sent, '0xaa')
      expect(await ledger.move(settling, before, { ifUnsent: true })).toBeNull()
      expect(await ledger.move(settling, before, { ifUnsent: true, durable: false })).toBeNull()
      expect(await ledger.find(sent)).toMatchObject({
        state: 'settling',
        owner: 'boot-1',
        transaction: '0xaa',
      })
      const other = (await ledger.move(unsent, { state: 'settling' }))!
      expect(await ledger.move(other, before, { ifUnsent: true })).toMatchObject({ state: 'claimed' })
    })

    test('keeps a task until it is claimed, and claims it together with the payment', async () => {
      const task = newTask()
      expect(await ledger.saveTask(task, 10)).toBe('saved')
      expect(await ledger.findTask(task.key)).toEqual({ ...task, payment: null, ended: null })
      const payment = newPayment({ taskKey: task.key })
      const attachment = { kind: 'existing', key: task.key, expiresAt: 90_000, now: 2_000 } as const
      expect(await ledger.claim(payment, attachment)).toMatchObject({ kind: 'claimed' })
      expect(await ledger.findTask(task.key)).toMatchObject({
        expiresAt: 90_000,
        payment: { nonce: payment.nonce },
      })
      const second = newPayment({ taskKey: task.key })
      expect(await ledger.claim(second, attachment)).toMatchObject({
        kind: 'task_taken',
        payment: { nonce: payment.nonce },
      })
      expect(await ledger.find(second)).toBeNull()
      expect(await ledger.claim(payment, attachment)).toMatchObject({ kind: 'known' })
    })

    test('hands a task over from a payment that is dead', async () => {
      const task = newTask()
      const outcome = await ledger.claim(newPayment(), { kind: 'new', task })
      if (outcome.kind === 'claimed')
        await reach(ledger, outcome.row, { state: 'void', owner: null, leaseUntil: 0 })
      const attachment = { kind: 'existing', key: task.key, expiresAt: 90_000, now: 50_000 } as const
      const second = newPayment({ taskKey: task.key })
      expect(await ledger.claim(second, attachment)).toMatchObject({ kind: 'claimed' })
      expect(await ledger.findTask(task.key)).toMatchObject({ payment: { nonce: second.nonce } })
    })

    test('hands a task over from a payment that was never sent and has no live owner', async () => {
      const task = newTask()
      await ledger.saveTask(task, 10)
      const attachment = { kind: 'existing', key: task.key, expiresAt: 90_000, now: 50_000 } as const
      const first = newPayment({ taskKey: task.key, leaseUntil: 50_000 })
      const outcome = await ledger.claim(first, { ...attachment, now: 2_000 })
      const row = outcome.kind === 'claimed' ? outcome.row : null
      expect(await ledger.claim(newPayment(), { ...attachment, now: 49_999 })).toMatchObject({
        kind: 'task_taken',
      })
      const second = newPayment({ taskKey: task.key, leaseUntil: 99_000 })
      expect(await ledger.claim(second, attachment)).toMatchObject({ kind: 'claimed' })
      expect(await ledger.findTask(task.key)).toMatchObject({ payment: { nonce: second.nonce } })
      // Its worker, should it only have been slow, cannot send it any more.
      expect(await ledger.move(row!, { state: 'settling' })).toBeNull()
      const freed = await ledger.find(first)
      expect(await ledger.reclaim(freed!, { owner: 'boot-2' }, attachment)).toMatchObject({
        kind: 'task_taken',
      })
    })

    test('hands no task over from a payment that was sent', async () => {
      for (const state of ['settling', 'in_doubt', 'refused', 'settled'] as const) {
        const task = newTask()
        const outcome = await ledger.claim(newPayment({ leaseUntil: 0, owner: null }), { kind: 'new', task })
        if (outcome.kind === 'claimed') await reach(ledger, outcome.row, { state, settledAt: 2_000 })
        const attachment = { kind: 'existing', key: task.key, expiresAt: 90_000, now: 50_000 } as const
        expect(await ledger.claim(newPayment(), attachment)).toMatchObject({ kind: 'task_taken' })
      }
    })

    test('claims nothing for a task that is expired, ended or unknown', async () => {
      const expired = newTask()
      const ended = newTask()
      await ledger.saveTask(expired, 10)
      await ledger.saveTask(ended, 10)
      expect(await ledger.endTask(ended.key, 'canceled', ENDED, 0)).toBe(true)
      expect(await ledger.endTask(ended.key, 'canceled', ENDED, 0)).toBe(false)
      for (const [key, now] of [
        [expired.key, 60_000],
        [ended.key, 2_000],
        ['unknown', 2_000],
      ] as const) {
        const payment = newPayment()
        const outcome = await ledger.claim(payment, { kind: 'existing', key, expiresAt: 90_000, now })
        expect(outcome).toEqual({ kind: 'task_gone' })
        expect(await ledger.find(payment)).toBeNull()
      }
    })

    test('lets one of two payments racing for a task win', async () => {
      const task = newTask()
      await ledger.saveTask(task, 10)
      const attachment = { kind: 'existing', key: task.key, expiresAt: 90_000, now: 2_000 } as const
      const outcomes = await Promise.all([
        ledger.claim(newPayment(), attachment),
        ledger.claim(newPayment(), attachment),
      ])
      expect(outcomes.map((outcome) => outcome.kind).toSorted()).toEqual(['claimed', 'task_taken'])
    })

    test('makes a task together with a claim', async () => {
      const task = newTask()
      const payment = newPayment({ taskKey: task.key })
      expect(await ledger.claim(payment, { kind: 'new', task })).toMatchObject({ kind: 'claimed' })
      expect(await ledger.findTask(task.key)).toMatchObject({ payment: { nonce: payment.nonce } })
      expect(await ledger.endTask(task.key, 'canceled', ENDED, 2_000)).toBe(false)
    })

    test('keeps no more unpaid tasks than the cap, not counting expired or claimed ones', async () => {
      await ledger.saveTask(newTask({ expiresAt: 1_500 }), 2)
      await ledger.claim(newPayment(), { kind: 'new', task: newTask() })
      const later = () => newTask({ createdAt: 2_000 })
      expect(await ledger.saveTask(later(), 2)).toBe('saved')
      expect(await ledger.saveTask(later(), 2)).toBe('saved')
      expect(await ledger.saveTask(later(), 2)).toBe('full')
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
    })

    test('adds counts up over days', async () => {
      const count = { surface: 'rest', checkType: 'iban', outcome: 'sold', count: 2 }
      await ledger.addCounts([
        { ...count, day: '2026-11-18', count: 50 },
        { ...count, day: '2026-11-19' },
        { ...count, day: '2026-11-20' },
        { ...count, day: '2026-11-20', surface: 'mcp' },
      ])
      expect(await ledger.countTotals('2026-11-19', '2026-11-20')).toEqual([
        { ...count, surface: 'mcp' },
        { ...count, count: 4 },
      ])
      expect(await ledger.countTotals('2026-11-21', '2026-11-22')).toEqual([])
    })

    test('sums what was settled in some time, exactly and apart for own payers', async () => {
      const own = `0x${'0'.repeat(40)}`
      const sell = async (settledAt: number, change: object) => {
        const row = await claimed(change)
        await reach(ledger, row, { state: 'settled', settledAt })
        return row
      }
      // Over 2^53: a sum in floating point would be rounded.
      const large = 9_007_199_254_740_993n
      const delivered = await sell(2_000, { amount: large })
      await ledger.noteDelivered(delivered, 2_100, 9)
      await sell(2_999, { amount: 1_000n })
      await sell(2_500, { amount: 1_000n, surface: 'mcp', checkType: 'email' })
      await sell(2_500, { amount: 1_000n, payer: own })
      await sell(1_999, { amount: 1_000n })
      await sell(3_000, { amount: 1_000n })
      await claimed({ amount: 1_000n })
      const cell = { surface: 'rest', checkType: 'iban', own: false, sales: 1, delivered: 0, revenue: 1_000n }
      expect(await ledger.revenue(2_000, 3_000, [own, `0x${'f'.repeat(40)}`])).toEqual([
        { ...cell, surface: 'mcp', checkType: 'email' },
        { ...cell, sales: 2, delivered: 1, revenue: large + 1_000n },
        { ...cell, own: true },
      ])
      const all = await ledger.revenue(2_000, 3_000, [])
      expect(all.map(({ own, sales }) => ({ own, sales }))).toEqual([
        { own: false, sales: 1 },
        { own: false, sales: 3 },
      ])
      expect(await ledger.revenue(0, 1_000, [])).toEqual([])
    })

    test('counts what is not over, and what the audit has not found', async () => {
      expect(await ledger.backlog()).toEqual(NO_BACKLOG)
      const states = ['settling', 'in_doubt', 'in_doubt', 'refused', 'void'] as const
      for (const [index, state] of states.entries()) {
        await reach(ledger, await claimed({ claimedAt: 1_000 + index }), { state })
      }
      await claimed()
      for (const audit of ['found', 'missing', null] as const) {
        await reach(ledger, await claimed(), { state: 'settled', settledAt: 2_000, audit })
      }
      const alive = newTask({ expiresAt: Date.now() + 60_000 })
      await ledger.saveTask(alive, 10)
      const cancelled = newTask({ expiresAt: Date.now() + 60_000 })
      await ledger.saveTask(cancelled, 10)
      await ledger.endTask(cancelled.key, 'canceled', ENDED, 0)
      await ledger.saveTask(newTask(), 10)
      expect(await ledger.backlog()).toEqual({
        claimed: 1,
        settling: 1,
        inDoubt: 2,
        unconfirmed: 0,
        refused: 1,
        inDoubtSince: 1_001,
        auditMissing: 1,
        auditPending: 1,
        unpaidTasks: 1,
      })
    })

    test('lists what a person should look at, and no more than asked for', async () => {
      const options = { now: 5_000, undeliveredSince: 2_500, undeliveredBefore: 4_000, limit: 2 }
      expect(await ledger.attention(options)).toEqual({ inDoubt: [], missing: [], undelivered: [] })
      const nonces = (rows: readonly PaymentRow[]) => rows.map(({ nonce }) => nonce)
      const put = async (claimedAt: number, change: PaymentChange) => {
        const row = await claimed({ claimedAt })
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

    test('sums sales by payer, and counts the slow ones', async () => {
      const other = `0x${'e'.repeat(40)}`
      const sell = async (settledAt: number, settlingAt: number, change: object = {}) => {
        const settling = await ledger.move(await claimed(change), { state: 'settling', settlingAt })
        if (settling === null) throw new Error('not moved')
        await ledger.move(settling, { state: 'settled', settledAt })
      }
      await sell(20_000, 15_000)
      await sell(20_000, 14_999)
      await sell(20_000, 19_000, { payer: other })
      await sell(29_999, 29_000, { payer: other })
      await sell(30_000, 29_000)
      await claimed()
      const sums = await ledger.payerSales(20_000, 30_000)
      expect(sums).toHaveLength(2)
      expect(sums.find(({ payer }) => payer === other)).toEqual({ payer: other, sales: 2, slow: 0 })
      expect(sums.find(({ payer }) => payer !== other)).toMatchObject({ sales: 2, slow: 1 })
    })

    test('lists the distinct payers of each type in a time', async () => {
      const sell = async (settledAt: number, change: object = {}) =>
        reach(ledger, await claimed(change), { state: 'settled', settledAt })
      const other = `0x${'e'.repeat(40)}`
      await sell(20_000)
      await sell(20_001)
      await sell(29_999, { payer: other })
      await sell(25_000, { payer: other, checkType: 'email' })
      await sell(19_999, { payer: `0x${'d'.repeat(40)}` })
      await sell(30_000, { payer: `0x${'d'.repeat(40)}` })
      await claimed({ payer: `0x${'d'.repeat(40)}` })
      expect(await ledger.typePayers(20_000, 30_000)).toEqual([
        { checkType: 'email', payer: other },
        { checkType: 'iban', payer: newPayment().payer },
        { checkType: 'iban', payer: other },
      ])
    })

    test('gives a lock to one owner until its lease is over', async () => {
      expect(await ledger.acquireLock('loop', 'a', 1_000, 2_000)).toBe(true)
      expect(await ledger.acquireLock('loop', 'b', 1_500, 2_500)).toBe(false)
      expect(await ledger.acquireLock('loop', 'a', 1_600, 2_600)).toBe(true)
      expect(await ledger.acquireLock('loop', 'b', 2_600, 3_600)).toBe(true)
      await ledger.releaseLock('loop', 'a')
      expect(await ledger.acquireLock('loop', 'a', 2_700, 3_700)).toBe(false)
      await ledger.releaseLock('loop', 'b')
      expect(await ledger.acquireLock('loop', 'a', 2_700, 3_700)).toBe(true)
    })

    test('keeps the first value of a fact', async () => {
      expect(await ledger.ensureFact('secret-check', 'one')).toBe('one')
      expect(await ledger.ensureFact('secret-check', 'two')).toBe('one')
    })

    test('replaces a fact only where it is still what was seen', async () => {
      await ledger.ensureFact('to-replace', 'one')
      expect(await ledger.replaceFact('to-replace', 'other', 'two')).toBe('one')
      expect(await ledger.replaceFact('to-replace', 'one', 'two')).toBe('two')
      expect(await ledger.replaceFact('to-replace', 'one', 'three')).toBe('two')
      expect(await ledger.ensureFact('to-replace', 'four')).toBe('two')
    })

    test('purges ended bindings and their keys, expired tasks and unsold rows, and never a sale', async () => {
      const [hour, day] = [3_600_000, 86_400_000]
      const now = 100 * day
      const windows = { deliveredMs: hour, undeliveredMs: day }
      const keyOf = (at: number) => bindingKeyName(at)
      const past = { validBefore: 1, leaseUntil: 1, claimedAt: 1_000 }
      const settle = async (settledAt: number, deliveredAt?: number) => {
        const bindingKey = await keyed(keyOf(settledAt))
        const row = await claimed({ ...past, identifier: randomBytes(32), taskKey: 'k', bindingKey })
        const settled = await reach(ledger, row, { state: 'settled', settledAt })
        if (deliveredAt !== undefined) await ledger.noteDelivered(settled, deliveredAt, 9)
        return settled
      }
      const keyed = async (name: string) => {
        await ledger.ensureFact(name, 'sealed')
        return name
      }
      const ended = [await settle(now - day - 1), await settle(now - 3 * hour, now - hour - 1)]
      const kept = [await settle(now - day + 1), await settle(now - 3 * day, now - hour + 1)]
      const unused = await keyed(keyOf(now - 5 * hour))
      const doubtful = await reach(ledger, await claimed(past), { state: 'in_doubt' })
      const unsold = await claimed(past)
      const voided = await reach(ledger, await claimed(past), { state: 'void' })
      const task = newTask({ expiresAt: now })
      await ledger.saveTask(task, 10)
      expect(await ledger.purge(now, windows)).toEqual({ bindings: 2, tasks: 1, payments: 2 })
      for (const row of ended)
        expect(await ledger.find(row)).toMatchObject({
          ...{ state: 'settled', salt: null, binding: null, bindingKey: null },
          ...{ identifier: null, taskKey: null },
        })
      for (const row of kept) expect((await ledger.find(row))?.binding).not.toBeNull()
      expect(await ledger.find(doubtful)).not.toBeNull()
      expect(await ledger.find(unsold)).toBeNull()
      expect(await ledger.find(voided)).toBeNull()
      expect(await ledger.findTask(task.key)).toBeNull()
      expect(await ledger.findFact(unused)).toBeNull()
      for (const row of kept) expect(await ledger.findFact(row.bindingKey!)).toBe('sealed')
    })

    test('keeps a task for as long as its payment may be answered', async () => {
      const hour = 3_600_000
      const now = 10 * hour
      const windows = { deliveredMs: hour, undeliveredMs: hour }
      const left = async (change: PaymentChange) => {
        const task = newTask({ expiresAt: now })
        const outcome = await ledger.claim(newPayment({ validBefore: 1, leaseUntil: 1 }), {
          kind: 'new',
          task,
        })
        if (outcome.kind === 'claimed') await reach(ledger, outcome.row, change)
        await ledger.purge(now, windows)
        return (await ledger.findTask(task.key)) !== null
      }
      for (const state of ['settling', 'in_doubt', 'unconfirmed', 'refused'] as const)
        expect(await left({ state })).toBe(true)
      expect(await left({ state: 'settled', settledAt: now - hour + 1 })).toBe(true)
      expect(await left({ state: 'settled', settledAt: now - hour - 1 })).toBe(false)
      for (const state of ['claimed', 'void'] as const) expect(await left({ state })).toBe(false)
    })

    test('says that it is ready', async () => {
      expect(await ledger.ready()).toBe(true)
    })
  })
}
