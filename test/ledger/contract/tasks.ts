import { describe, expect, test } from 'vitest'
import type { Ledger } from '../../../src/ledger/ledger.ts'
import type { PaymentChange } from '../../../src/ledger/payments/payment-row.ts'
import { attached, newTask } from '../../support/ledger-rows.ts'
import { newPayment } from '../../support/payment-rows.ts'
import { reach } from '../../support/reach-state.ts'
import { eachWithStore, type OpenStore } from '../each-with-store.ts'

/** What is left of the blob of a task that ends. */
const ENDED = Buffer.from('ended')

/** Tasks that wait for a payment, and whose payment has which. */
export function describeTasks(name: string, open: OpenStore): void {
  describe(`the ${name} ledger`, () => {
    let ledger: Ledger
    eachWithStore(open, (opened) => {
      ledger = opened
    })

    test('releases the task of a claim that another request takes over', async () => {
      const [first, second] = [newTask(), newTask()]
      const payment = newPayment({ owner: null, leaseUntil: 0, taskKey: first.key })
      const outcome = await ledger.claim(payment, { kind: 'new', task: first })
      await ledger.saveTask(second, 10)
      const attachment = attached(second.key)
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
      const outcome = await ledger.claim(payment, { kind: 'new', task })
      const row = outcome.kind === 'claimed' ? outcome.row : null
      expect(await ledger.endTask(task.key, 'canceled', ENDED, 4_999)).toBe(false)
      expect(await ledger.endTask(task.key, 'canceled', ENDED, 5_000)).toBe(true)
      // Its worker, should it only have been slow, cannot send it any more: nothing is charged for a task that was canceled.
      expect(await ledger.move(row!, { state: 'settling' })).toBeNull()
      expect(await ledger.find(payment)).toMatchObject({ taskKey: null })
      expect(await ledger.findTask(task.key)).toMatchObject({
        payment: null,
        ended: 'canceled',
        sealed: ENDED,
      })
    })

    test('keeps a task until it is claimed, and claims it together with the payment', async () => {
      const task = newTask()
      expect(await ledger.saveTask(task, 10)).toBe('saved')
      expect(await ledger.findTask(task.key)).toEqual({ ...task, payment: null, ended: null })
      const payment = newPayment({ taskKey: task.key })
      const attachment = attached(task.key)
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
      const attachment = attached(task.key)
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

    test('counts against the cap neither a task that ended nor one that expires at this moment', async () => {
      const ended = newTask()
      await ledger.saveTask(ended, 10)
      await ledger.endTask(ended.key, 'canceled', ENDED, 0)
      await ledger.saveTask(newTask({ expiresAt: 2_000 }), 10)
      expect(await ledger.saveTask(newTask({ createdAt: 2_000 }), 1)).toBe('saved')
      expect(await ledger.saveTask(newTask({ createdAt: 2_000 }), 1)).toBe('full')
    })

    test('ends no task that is unknown or whose payment was sent, also when no process works on it', async () => {
      expect(await ledger.endTask('unknown', 'canceled', ENDED, 0)).toBe(false)
      const task = newTask()
      const payment = newPayment({ taskKey: task.key, leaseUntil: 0, owner: null })
      const outcome = await ledger.claim(payment, { kind: 'new', task })
      const row = outcome.kind === 'claimed' ? outcome.row : null
      const settling = await reach(ledger, row!, { state: 'settling' })
      expect(await ledger.endTask(task.key, 'canceled', ENDED, 9_000)).toBe(false)
      expect(await ledger.find(payment)).toEqual(settling)
      expect(await ledger.findTask(task.key)).toMatchObject({
        payment: { nonce: payment.nonce },
        ended: null,
      })
    })

    test('leaves its first task to a refused row that another request takes for a second one', async () => {
      const [first, second] = [newTask(), newTask()]
      const payment = newPayment({ owner: null, leaseUntil: 0, taskKey: first.key })
      const outcome = await ledger.claim(payment, { kind: 'new', task: first })
      await ledger.saveTask(second, 10)
      const row = outcome.kind === 'claimed' ? outcome.row : null
      const refused = await reach(ledger, row!, { state: 'refused' })
      await ledger.reclaim(refused, { taskKey: second.key }, attached(second.key))
      for (const { key } of [first, second])
        expect(await ledger.findTask(key)).toMatchObject({ payment: { nonce: payment.nonce } })
    })

    test('purges a task when it expires, also beside a payment that differs in one member of its key', async () => {
      const windows = { deliveredMs: 1, undeliveredMs: 1 }
      const alive = newTask({ expiresAt: 60_001 })
      await ledger.saveTask(alive, 10)
      const sold = newPayment({ settlingAt: 2_000 })
      for (const member of ['network', 'asset', 'payer', 'nonce'] as const) {
        const task = newTask()
        await ledger.claim(sold, { kind: 'new', task })
        const payment = newPayment({ ...sold, [member]: `another ${member}`, settlingAt: null })
        const expired = newTask()
        await ledger.claim(payment, { kind: 'new', task: expired })
        await ledger.purge(60_000, windows)
        expect(await ledger.findTask(expired.key)).toBeNull()
      }
      expect(await ledger.findTask(alive.key)).not.toBeNull()
    })

    test('keeps a task for as long as its payment may be answered', async () => {
      const hour = 3_600_000
      const now = 10 * hour
      const windows = { deliveredMs: hour, undeliveredMs: hour }
      const left = async (change: PaymentChange, expiresAt = now) => {
        const task = newTask({ expiresAt })
        const outcome = await ledger.claim(newPayment({ validBefore: 1, leaseUntil: 1 }), {
          kind: 'new',
          task,
        })
        if (outcome.kind === 'claimed') await reach(ledger, outcome.row, change)
        await ledger.purge(now, windows)
        return (await ledger.findTask(task.key)) !== null
      }
      for (const state of ['settling', 'in_doubt', 'refused'] as const)
        expect(await left({ state })).toBe(true)
      expect(await left({ state: 'settled', settledAt: now - hour + 1 })).toBe(true)
      expect(await left({ state: 'settled', settledAt: now - hour - 1 })).toBe(false)
      // Its row is unbound by then, so the task would look unpaid.
      expect(await left({ state: 'settled', settledAt: now - hour - 1 }, now + hour)).toBe(false)
      expect(await left({ state: 'settled', settledAt: now - hour }, now + hour)).toBe(true)
      for (const state of ['claimed', 'void'] as const) {
        expect(await left({ state })).toBe(false)
        expect(await left({ state }, now + 1)).toBe(true)
      }
    })
  })
}
