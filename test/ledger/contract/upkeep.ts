import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Ledger } from '../../../src/ledger/ledger.ts'
import { bindingKeyName } from '../../../src/ledger/payments/binding-key.ts'
import { StoreUnavailable } from '../../../src/ledger/store/store-unavailable.ts'
import { claimed, newTask } from '../../support/ledger-rows.ts'
import { reach } from '../../support/reach-state.ts'
import { eachWithStore, type OpenStore } from '../each-with-store.ts'

/** The clock, locks, facts and what is purged. */
export function describeUpkeep(name: string, open: OpenStore): void {
  describe(`the ${name} ledger`, () => {
    let ledger: Ledger
    eachWithStore(open, (opened) => {
      ledger = opened
    })

    test('tells the time', () => {
      expect(Math.abs(ledger.clock.now() - Date.now())).toBeLessThan(60_000)
    })

    test('gives a lock to one owner until its lease is over', async () => {
      expect(await ledger.acquireLock('loop', 'a', 1_000, 2_000)).toBe(true)
      expect(await ledger.acquireLock('other', 'b', 1_000, 9_000)).toBe(true)
      expect(await ledger.acquireLock('loop', 'b', 1_500, 2_500)).toBe(false)
      expect(await ledger.acquireLock('loop', 'a', 1_600, 2_600)).toBe(true)
      expect(await ledger.acquireLock('loop', 'b', 2_600, 3_600)).toBe(true)
      await ledger.releaseLock('loop', 'a')
      expect(await ledger.acquireLock('loop', 'a', 2_700, 3_700)).toBe(false)
      await ledger.releaseLock('loop', 'b')
      expect(await ledger.acquireLock('other', 'a', 2_700, 3_700)).toBe(false)
      expect(await ledger.acquireLock('loop', 'a', 2_700, 3_700)).toBe(true)
    })

    test('purges a lock whose lease ended before the replay window of a delivery', async () => {
      const windows = { deliveredMs: 1_000, undeliveredMs: 2_000 }
      await ledger.acquireLock('refund/0x01', 'a', 1_000, 1_999)
      await ledger.acquireLock('refund/0x02', 'a', 1_000, 2_000)
      await ledger.purge(3_000, windows)
      expect(await ledger.acquireLock('refund/0x01', 'b', 1_500, 9_000)).toBe(true)
      expect(await ledger.acquireLock('refund/0x02', 'b', 1_500, 9_000)).toBe(false)
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
      await ledger.ensureFact('like-it', 'two')
      expect(await ledger.replaceFact('to-replace', 'two', 'three')).toBe('three')
      expect(await ledger.findFact('like-it')).toBe('two')
      await expect(ledger.replaceFact('unknown', 'one', 'two')).rejects.toThrow(StoreUnavailable)
      expect(await ledger.ensureFact('to-replace', 'four')).toBe('three')
    })

    test('purges ended bindings and their keys, expired tasks and unsold rows, and never a sale', async () => {
      const [hour, day] = [3_600_000, 86_400_000]
      const now = 100 * day
      const windows = { deliveredMs: hour, undeliveredMs: day }
      const keyOf = (at: number) => bindingKeyName(at)
      const past = { validBefore: 1, leaseUntil: 1, claimedAt: 1_000 }
      const settle = async (settledAt: number, deliveredAt?: number) => {
        const bindingKey = await keyed(keyOf(settledAt))
        const row = await claimed(ledger, { ...past, identifier: randomBytes(32), taskKey: 'k', bindingKey })
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
      // A process that has just read one of these may be about to bind a sale with it.
      const recent = [await keyed(keyOf(now - 2 * hour)), await keyed(keyOf(now))]
      const doubtful = await reach(ledger, await claimed(ledger, past), { state: 'in_doubt' })
      const unsold = await claimed(ledger, past)
      const lastBut = { ...past, validBefore: Math.floor((now - hour) / 1000) - 1 }
      const [expired, valid] = [
        await claimed(ledger, lastBut),
        await claimed(ledger, { ...lastBut, validBefore: lastBut.validBefore + 1 }),
      ]
      const voided = await reach(ledger, await claimed(ledger, past), { state: 'void' })
      const task = newTask({ expiresAt: now })
      await ledger.saveTask(task, 10)
      expect(await ledger.purge(now, windows)).toEqual({ bindings: 2, tasks: 1, payments: 3 })
      for (const row of ended)
        expect(await ledger.find(row)).toMatchObject({
          ...{ state: 'settled', salt: null, binding: null, bindingKey: null },
          ...{ identifier: null, taskKey: null },
        })
      for (const row of kept) expect((await ledger.find(row))?.binding).not.toBeNull()
      expect(await ledger.find(doubtful)).not.toBeNull()
      expect(await ledger.find(unsold)).toBeNull()
      expect(await ledger.find(expired)).toBeNull()
      expect(await ledger.find(valid)).not.toBeNull()
      expect(await ledger.find(voided)).toBeNull()
      expect(await ledger.findTask(task.key)).toBeNull()
      expect(await ledger.findFact(unused)).toBeNull()
      for (const name of recent) expect(await ledger.findFact(name)).toBe('sealed')
      for (const row of kept) expect(await ledger.findFact(row.bindingKey!)).toBe('sealed')
    })

    test('keeps what it would purge a moment later', async () => {
      const now = 100 * 86_400_000
      const windows = { deliveredMs: 3_600_000, undeliveredMs: 86_400_000 }
      const [delivered, undelivered] = [now - windows.deliveredMs, now - windows.undeliveredMs]
      const over = { validBefore: now / 1000 - 1, leaseUntil: 1, claimedAt: 1_000 }
      const sold = async (settledAt: number, deliveredAt: number | null, change: object = {}) => {
        const row = await claimed(ledger, { ...over, ...change })
        const settled = await reach(ledger, row, { state: 'settled', settledAt })
        if (deliveredAt !== null) await ledger.noteDelivered(settled, deliveredAt, 9)
        return (await ledger.find(row))!
      }
      const kept = [
        await sold(1_000, delivered),
        await sold(undelivered, null),
        // Its authorization is still valid, so it could be presented again.
        await sold(1_000, null, { validBefore: now / 1000 }),
      ]
      const unsold = { ...over, validBefore: 1, claimedAt: delivered - 1 }
      for (const change of [{ leaseUntil: now + 1 }, { claimedAt: delivered }])
        kept.push(await claimed(ledger, { ...unsold, ...change }))
      const gone = await claimed(ledger, { ...unsold, leaseUntil: now })
      const forgotten = await sold(1_000, null)
      expect(await ledger.purge(now, windows)).toEqual({ bindings: 1, tasks: 0, payments: 1 })
      expect(await ledger.find(gone)).toBeNull()
      expect(await ledger.find(forgotten)).toMatchObject({ salt: null })
    })

    test('purges unused keys of bindings from the third hour on, and no other facts', async () => {
      const hour = 3_600_000
      const now = 100 * 24 * hour
      const facts = ['a fact', bindingKeyName(now - 3 * hour), bindingKeyName(now - 2 * hour)]
      for (const name of facts) await ledger.ensureFact(name, 'sealed')
      await ledger.purge(now, { deliveredMs: hour, undeliveredMs: hour })
      const found = await Promise.all(facts.map(ledger.findFact))
      expect(found).toEqual(['sealed', null, 'sealed'])
    })

    test('says that it is ready', async () => {
      expect(await ledger.ready()).toBe(true)
    })
  })
}
