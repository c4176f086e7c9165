import { beforeEach, expect, test } from 'vitest'
import { withStoreLock } from '../../src/ledger/store/store-lock.ts'

const LEASE_MS = 120_000

let now: number
/** Who has the lock, and until when. */
let held: { owner: string; until: number } | null
/** Times at which the lock was asked for. */
let asked: number[]
beforeEach(() => {
  now = 1_000_000
  held = null
  asked = []
})

const ledger = {
  acquireLock: async (_name: string, owner: string, at: number, until: number) => {
    asked.push(at)
    if (held !== null && held.owner !== owner && held.until > at) return false
    held = { owner, until }
    return true
  },
  releaseLock: async (_name: string, owner: string) => {
    if (held?.owner === owner) held = null
  },
}
const run = <T>(owner: string, work: (stillHeld: () => Promise<boolean>) => Promise<T>) =>
  withStoreLock({ ledger, name: 'loop', owner, now: () => now }, work)

test('work is done under the lock, and the lock is released after it', async () => {
  expect(await run('a', async () => held)).toEqual({ owner: 'a', until: now + LEASE_MS })
  expect(held).toBeNull()
})

test('work is not done while another owner has the lock, and that owner keeps it', async () => {
  held = { owner: 'b', until: now + 1 }
  let runs = 0
  expect(await run('a', async () => (runs += 1))).toBeNull()
  expect([runs, held.owner]).toEqual([0, 'b'])
  now += 1
  expect(await run('a', async () => 'done')).toBe('done')
})

test('the lock is released if the work fails', async () => {
  await expect(run('a', () => Promise.reject(new Error('told to fail')))).rejects.toThrow('told to fail')
  expect(held).toBeNull()
})

test('long work renews the lease once a quarter of it is over', async () => {
  await run('a', async (stillHeld) => {
    now += LEASE_MS / 4
    expect(await stillHeld()).toBe(true)
    expect(asked).toHaveLength(1)
    now += 1
    expect(await stillHeld()).toBe(true)
    expect(held).toEqual({ owner: 'a', until: now + LEASE_MS })
    now += LEASE_MS / 4
    expect(await stillHeld()).toBe(true)
    expect(asked).toHaveLength(2)
  })
})

test('work that has lost the lock learns that, and does not take it again', async () => {
  await run('a', async (stillHeld) => {
    now += LEASE_MS
    held = { owner: 'b', until: now + LEASE_MS }
    expect(await stillHeld()).toBe(false)
    now += 2 * LEASE_MS
    expect(await stillHeld()).toBe(false)
  })
  expect([asked.length, held?.owner]).toEqual([2, 'b'])
})
