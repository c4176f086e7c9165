import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { GroupCommit, type WriteConnection } from '../../../src/ledger/sqlite/group-commit.ts'
import { sqliteSql } from '../../../src/ledger/sqlite/sqlite-sql.ts'

/** What the connection was asked to do, in order. */
let steps: string[]
/** What a flush does; nothing by default. */
let flush: () => Promise<void> | undefined
let connection: WriteConnection
let commits: GroupCommit
let close: () => void

beforeEach(() => {
  const database = new Database(':memory:')
  steps = []
  flush = () => undefined
  connection = {
    db: sqliteSql(database)(),
    begin: () => void steps.push('begin'),
    commit: () => void steps.push('commit'),
    rollback: () => void steps.push('rollback'),
    flush: () => {
      steps.push('flush')
      return flush()
    },
  }
  commits = new GroupCommit(connection)
  close = () => database.close()
})
afterEach(() => close())

const write = (name: string, options: { durable?: boolean; patient?: boolean } = {}) =>
  commits.run(async () => void steps.push(name), options)
const fails = () => commits.run(() => Promise.reject(new Error('told to fail')), { durable: false })

/** A flush beside the event loop that ends when `end` is called. */
function heldFlush(): { end(error?: Error): void } {
  const held = Promise.withResolvers<void>()
  flush = () => held.promise
  return {
    end: (error) => {
      flush = () => undefined
      if (error === undefined) held.resolve()
      else held.reject(error)
    },
  }
}

/** What a promise has come to after all work that is ready was done. */
async function stateOf(promise: Promise<unknown>): Promise<string> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
  const open = Symbol('open')
  return Promise.race([promise, Promise.resolve(open)]).then(
    (value) => (value === open ? 'open' : 'resolved'),
    () => 'rejected',
  )
}

describe('whether a commit is flushed', () => {
  test('it is, unless told otherwise, and only after it', async () => {
    await write('one')
    await write('note', { durable: false })
    expect(steps).toEqual(['begin', 'one', 'commit', 'flush', 'begin', 'note', 'commit'])
  })

  test('a note that goes with a durable write shares its commit and its flush', async () => {
    await Promise.all([write('note', { durable: false }), write('one')])
    expect(steps).toEqual(['begin', 'note', 'one', 'commit', 'flush'])
  })

  test('a durable write is, when its group has failed and it goes alone', async () => {
    const [failed, durable] = await Promise.allSettled([fails(), write('one')])
    expect([failed.status, durable.status]).toEqual(['rejected', 'fulfilled'])
    expect(steps).toEqual(['begin', 'rollback', 'begin', 'rollback', 'begin', 'one', 'commit', 'flush'])
  })

  test('once for at most 128 writes, so that the first of many does not wait for all', async () => {
    await Promise.all(Array.from({ length: 129 }, (_, at) => write(`${at}`)))
    expect(steps.indexOf('commit')).toBe(129)
    expect(steps.slice(-4)).toEqual(['begin', '128', 'commit', 'flush'])
    steps = []
    const held = heldFlush()
    const one = write('one')
    await stateOf(one)
    await Promise.all(Array.from({ length: 129 }, (_, at) => write(`${at}`, { durable: false })))
    expect(steps.slice(4).indexOf('commit')).toBe(129)
    held.end()
    await one
  })

  test('a write whose transaction cannot begin is not made', async () => {
    const stuck = new GroupCommit({
      db: sqliteSql(new Database(':memory:'))(),
      begin: () => {
        throw new Error('told to fail')
      },
      commit: () => {},
      rollback: () => {},
      flush: () => undefined,
    })
    await expect(stuck.run(async () => steps.push('made'))).rejects.toThrow('told to fail')
    expect(steps).toEqual([])
  })
})

describe('a flush beside the event loop', () => {
  test('holds back durable writes alone', async () => {
    const held = heldFlush()
    const group = [write('one'), write('note', { durable: false })] as const
    expect(await Promise.all(group.map(stateOf))).toEqual(['open', 'resolved'])
    const next = [write('two'), write('second note', { durable: false })] as const
    expect(await Promise.all(next.map(stateOf))).toEqual(['open', 'resolved'])
    held.end()
    await Promise.all([...group, ...next])
    expect(steps.filter((step) => step === 'flush')).toHaveLength(2)
    expect(steps.indexOf('two')).toBeGreaterThan(steps.indexOf('second note'))
  })

  test('rejects the durable writes of its commit when it fails, and no others', async () => {
    const held = heldFlush()
    const group = [write('one'), write('note', { durable: false })] as const
    const states = Promise.all(group.map(stateOf))
    expect(await states).toEqual(['open', 'resolved'])
    held.end(new Error('told to fail'))
    await expect(group[0]).rejects.toThrow('told to fail')
    expect(await stateOf(write('two'))).toBe('resolved')
  })

  test('holds back the durable writes of a group that has failed, too', async () => {
    const held = heldFlush()
    const [one, failed, other] = [write('one'), fails(), write('other')]
    await expect(failed).rejects.toThrow('told to fail')
    expect([await stateOf(one), await stateOf(other)]).toEqual(['open', 'open'])
    expect(steps.filter((step) => step === 'flush')).toHaveLength(1)
    held.end()
    await Promise.all([one, other])
    expect(steps.slice(-4)).toEqual(['begin', 'other', 'commit', 'flush'])
  })

  test('is waited for when the store closes', async () => {
    const held = heldFlush()
    const one = write('one')
    expect(await stateOf(one)).toBe('open')
    const idle = commits.idle()
    expect(await stateOf(idle)).toBe('open')
    held.end()
    await idle
  })
})

test('a flush that fails on the event loop rejects the durable writes of its commit', async () => {
  flush = () => {
    throw new Error('told to fail')
  }
  const [one, note] = await Promise.allSettled([write('one'), write('note', { durable: false })])
  expect([one.status, note.status]).toEqual(['rejected', 'fulfilled'])
})

describe('a patient write', () => {
  test('goes with the next commit', async () => {
    const note = write('note', { durable: false, patient: true })
    await Promise.all([write('one'), note])
    expect(steps).toEqual(['begin', 'note', 'one', 'commit', 'flush'])
  })

  test('goes alone if no other comes', async () => {
    await write('note', { durable: false, patient: true })
    expect(steps).toEqual(['begin', 'note', 'commit'])
  })

  test('has its wait ended by the commit that takes it along, and waits again after that', async () => {
    const waits: string[] = []
    commits = new GroupCommit(connection, () => {
      waits.push('begun')
      return { end: () => void waits.push('ended') }
    })
    for (let round = 0; round < 2; round++) {
      const note = write('note', { durable: false, patient: true })
      expect(commits.waiting).toBe(1)
      await Promise.all([write('one'), note])
    }
    expect(waits).toEqual(['begun', 'ended', 'begun', 'ended'])
    expect(commits.waiting).toBe(0)
  })

  test('waits, once for all, while nothing is committed; beside a group it needs no wait', async () => {
    const waits: (() => void)[] = []
    commits = new GroupCommit(connection, (hurry) => {
      waits.push(hurry)
      return { end: () => {} }
    })
    const notes = ['one', 'two'].map((name) => write(name, { durable: false, patient: true }))
    expect([waits.length, await stateOf(notes[0]!), steps]).toEqual([1, 'open', []])
    waits[0]?.()
    notes.push(write('three', { durable: false, patient: true }))
    await Promise.all(notes)
    expect([waits.length, steps]).toEqual([1, ['begin', 'one', 'two', 'three', 'commit']])
  })

  test('is made before the store closes', async () => {
    void write('note', { durable: false, patient: true })
    await commits.idle()
    expect(steps).toEqual(['begin', 'note', 'commit'])
  })
})

test('an open transaction can be waited for', async () => {
  const held = Promise.withResolvers<void>()
  const job = commits.run(() => held.promise)
  expect(await stateOf(job)).toBe('open')
  const { transaction } = commits
  expect(await stateOf(transaction as Promise<void>)).toBe('open')
  held.resolve()
  await transaction
  expect(commits.transaction).toBeNull()
  await job
})
