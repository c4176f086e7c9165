import { setTimeout as sleep } from 'node:timers/promises'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterEach, describe, expect, test } from 'vitest'
import { openPostgresLock, type PostgresLock } from '../../src/ledger/postgres/postgres-lock.ts'
import { createMemoryJournal } from '../../src/payments/facilitators/self/queue/settlement-journal.ts'
import { createSelfFacilitator } from '../../src/payments/facilitators/self/self-facilitator.ts'
import { TOKEN } from '../../src/sandbox/addresses.ts'
import { giveEther } from '../../src/sandbox/chain/provision.ts'
import { startAnvil } from '../support/chain-backends.ts'
import { freshAccount, signPayment, termsFor } from '../support/chain-payments.ts'
import { run } from '../support/postgres.ts'
import { databasePerTest } from '../support/test-databases.ts'

const database = databasePerTest()
const locks: PostgresLock[] = []

afterEach(async () => {
  await Promise.all(locks.splice(0).map((lock) => lock.close()))
})

/** Longer than a test may take. */
const NEVER_MS = 3_600_000

/** The lock as a replica has it. */
function replica(name = 'send', options: { readonly waitMs?: number; readonly holdMs?: number } = {}) {
  const lock = openPostgresLock({ url: database.url, name, waitMs: NEVER_MS, holdMs: NEVER_MS, ...options })
  locks.push(lock)
  return lock
}

/** Work that goes on until it is stopped. */
function lasting() {
  const { promise, resolve } = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const work = async () => {
    begun.resolve()
    await promise
    return 'done'
  }
  return { work, begun: begun.promise, end: resolve }
}

const endSessions = () =>
  run(
    database.url,
    `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and pid != pg_backend_pid()`,
  )

describe('a lock that replicas share', () => {
  test('lets one of them work at a time, also many in turn', async () => {
    const replicas = [replica(), replica(), replica()]
    const inside = { now: 0, most: 0 }
    const work = async () => {
      inside.now += 1
      inside.most = Math.max(inside.most, inside.now)
      await sleep(1)
      inside.now -= 1
    }
    const turns = async ({ run }: PostgresLock) => {
      for (let turn = 0; turn < 20; turn++) await run(work)
    }
    await Promise.all(replicas.map(turns))
    expect(inside).toEqual({ now: 0, most: 1 })
  })

  test('does not hold up who works under another name', async () => {
    const first = lasting()
    const held = replica('one').run(first.work)
    await first.begun
    expect(await replica('other').run(async () => 'other')).toBe('other')
    first.end()
    expect(await held).toBe('done')
  })

  test('is given back by work that fails, whose fault is passed on', async () => {
    const lock = replica()
    await expect(lock.run(() => Promise.reject(new Error('told to fail')))).rejects.toThrow('told to fail')
    expect(await replica().run(async () => 'next')).toBe('next')
    expect(await lock.run(async () => 'again')).toBe('again')
  })

  test('is not waited for without end, and then nothing is done', async () => {
    const first = lasting()
    const held = replica().run(first.work)
    await first.begun
    const done: string[] = []
    const late = replica('send', { waitMs: 100 }).run(async () => done.push('late'))
    // On a busy machine the connection may not be there in that time either.
    await expect(late).rejects.toThrow(/lock timeout|connection timeout/)
    first.end()
    await held
    expect(done).toEqual([])
  })

  test('passes on when its holder loses the connection; the writes of the holder stay', async () => {
    const first = lasting()
    const lock = replica()
    const held = lock.run(first.work)
    await first.begun
    await endSessions()
    expect(await replica().run(async () => 'next')).toBe('next')
    first.end()
    expect(await held).toBe('done')
    expect(await lock.run(async () => 'again')).toBe('again')
  })

  test('passes on when the one who has it takes too long', async () => {
    const first = lasting()
    const held = replica('send', { holdMs: 100 }).run(first.work)
    await first.begun
    expect(await replica().run(async () => 'next')).toBe('next')
    first.end()
    expect(await held).toBe('done')
  })

  test('cannot be had from a database that is not there', async () => {
    const lock = openPostgresLock({
      url: 'postgres://reader@127.0.0.1:1/none',
      name: 'send',
      waitMs: 1_000,
      holdMs: 1_000,
    })
    locks.push(lock)
    const done: string[] = []
    await expect(lock.run(async () => done.push('work'))).rejects.toThrow()
    expect(done).toEqual([])
  })
})

test.each([
  1, 64,
])('replicas that settle with one key under it, by %d at most, take every number once', async (most) => {
  const privateKey = generatePrivateKey()
  const chain = await startAnvil()
  try {
    const rpcUrl = chain.rpcUrl ?? ''
    const payer = freshAccount()
    await chain.fund(payer.address, 1_000_000n)
    await giveEther(rpcUrl, privateKeyToAccount(privateKey).address)
    const numbers: number[] = []
    // As the store is to replicas: what one has signed, the others see before it is broadcast.
    const journal = createMemoryJournal()
    const replicas = Array.from({ length: 3 }, () =>
      createSelfFacilitator({
        rpcUrls: [rpcUrl],
        account: privateKeyToAccount(privateKey),
        chainId: 8453,
        finalityDepth: 0n,
        token: TOKEN,
        lock: replica('send from one key').run,
        batch: { most },
        journal,
        // A transaction that is replaced has its number twice.
        timing: { settleMs: NEVER_MS, confirmMs: NEVER_MS, replaceMs: NEVER_MS },
        onSigned: ({ nonce }) => void numbers.push(nonce),
      }),
    )
    const outcomes = await Promise.all(
      Array.from({ length: 30 }, async (_, index) => {
        const { payload, requirements } = await signPayment(payer, termsFor(freshAccount().address))
        return replicas[index % replicas.length]!.settle(payload, requirements)
      }),
    )
    expect(outcomes.map(({ success }) => success)).toEqual(Array(30).fill(true))
    if (most === 1) expect(numbers).toHaveLength(30)
    expect(numbers.toSorted((a, b) => a - b)).toEqual(Array.from(numbers.keys()))
  } finally {
    await chain.stop()
  }
})
