import { DatabaseError, Pool } from 'pg'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { openPostgresLock } from '../../../src/ledger/postgres/postgres-lock.ts'
import { openPool } from '../../../src/ledger/postgres/postgres-pool.ts'
import { openPostgresReader } from '../../../src/ledger/postgres/postgres-reader.ts'

/** What the client of the pool was asked, in order; `released` with whether it is to be closed. */
let asked: string[]
/** What a statement fails with. */
let failing: Record<string, Error>
let ends: number

beforeEach(() => {
  asked = []
  failing = {}
  ends = 0
  vi.spyOn(Pool.prototype, 'connect').mockImplementation(async () => {
    if (failing.connect !== undefined) throw failing.connect
    return {
      query: async (text: string) => {
        asked.push(text)
        if (failing[text] !== undefined) throw failing[text]
        return { rows: [], rowCount: 0 }
      },
      release: (isBroken: boolean) => void asked.push(`released ${isBroken}`),
    }
  })
  vi.spyOn(Pool.prototype, 'end').mockImplementation(async () => {
    await new Promise((resolve) => setImmediate(resolve))
    ends += 1
  })
})
afterEach(() => void vi.restoreAllMocks())

const URL = 'postgres://app@127.0.0.1:1/none'
const openOne = () => openPool({ url: URL, max: 1, waitMs: 1, replyMs: 1, settings: {} })
const refused = new DatabaseError('refused', 1, 'error')
const lost = new Error('connection lost')

/** Whether a promise is open after all work that is ready was done. */
async function isOpen(promise: Promise<unknown>): Promise<boolean> {
  let open = true
  promise.then(() => {
    open = false
  })
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
  return open
}

describe('a connection', () => {
  test('goes back to the pool after a statement that the server refuses', async () => {
    failing = { one: refused }
    const connection = await openOne().connect()
    await expect(connection.query('one', [])).rejects.toBe(refused)
    await connection.query('two', [])
    connection.release()
    expect(asked).toEqual(['one', 'two', 'released false'])
  })

  test('is closed after any other error, and asked nothing more', async () => {
    failing = { one: lost }
    const connection = await openOne().connect()
    await expect(connection.query('one', [])).rejects.toBe(lost)
    await expect(connection.query('two', [])).rejects.toThrow('given up')
    connection.release()
    expect(asked).toEqual(['one', 'released true'])
  })
})

describe('a pool', () => {
  test('ends once no connection is used, once for all that ask, and gives none after that', async () => {
    const pool = openOne()
    const connections = [await pool.connect(), await pool.connect()]
    const ended = pool.end()
    connections[0]?.release()
    expect([await isOpen(ended), ends]).toEqual([true, 0])
    await expect(pool.connect()).rejects.toThrow('closed')
    connections[1]?.release()
    await Promise.all([ended, pool.end()])
    expect(ends).toBe(1)
  })

  test('ends also when a connection could not be had', async () => {
    failing = { connect: lost }
    const pool = openOne()
    await expect(pool.connect()).rejects.toBe(lost)
    await pool.end()
    expect(ends).toBe(1)
  })
})

test('a reader of a store that cannot be read is closed, and its error names the address without the password', async () => {
  failing = { connect: lost }
  const opened = openPostgresReader('postgres://app:secret@127.0.0.1:1/none')
  await expect(opened).rejects.toMatchObject({
    message: 'DATABASE_URL (postgres://app@127.0.0.1:1/none): the store could not be read',
    cause: lost,
  })
  expect(ends).toBe(1)
})

describe('a lock that replicas share', () => {
  const LOCK = 'select pg_advisory_xact_lock(hashtextextended($1, 0))'
  const runWork = () =>
    openPostgresLock({ url: URL, name: 'send', waitMs: 1, holdMs: 1 }).run(async () => {
      asked.push('work')
      if (failing.work !== undefined) throw failing.work
      return 'done'
    })

  test('is had before the work, and until its end', async () => {
    expect(await runWork()).toBe('done')
    expect(asked).toEqual(['begin', LOCK, 'work', 'commit', 'released false'])
  })

  test('takes nothing back of work that is done, also if its end fails', async () => {
    failing = { commit: lost }
    expect(await runWork()).toBe('done')
    expect(asked).toEqual(['begin', LOCK, 'work', 'commit', 'released true'])
  })

  test.each([
    ['begin', ['begin']],
    [LOCK, ['begin', LOCK]],
    ['work', ['begin', LOCK, 'work']],
  ])('is given back when %s fails, and the first error is passed on', async (step, steps) => {
    failing = { [step]: refused, rollback: lost }
    await expect(runWork()).rejects.toBe(refused)
    expect(asked).toEqual([...steps, 'rollback', 'released true'])
  })
})
