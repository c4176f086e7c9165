import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { GroupCommit, type WriteConnection } from '../../../src/ledger/sqlite/group-commit.ts'
import { sqliteSql } from '../../../src/ledger/sqlite/sqlite-sql.ts'

/** What the connection was asked to do, in order. */
let steps: string[]
let connection: WriteConnection
let commits: GroupCommit
let close: () => void

beforeEach(() => {
  const database = new Database(':memory:')
  steps = []
  connection = {
    db: sqliteSql(database)(),
    begin: (isDurable) => void steps.push(isDurable ? 'begin, flushed' : 'begin'),
    commit: () => void steps.push('commit'),
    rollback: () => void steps.push('rollback'),
  }
  commits = new GroupCommit(connection)
  close = () => database.close()
})
afterEach(() => close())

const write = (name: string, options: { durable?: boolean; patient?: boolean } = {}) =>
  commits.run(async () => void steps.push(name), options)
const fails = () => commits.run(() => Promise.reject(new Error('told to fail')), { durable: false })

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
  test('it is, unless told otherwise', async () => {
    await write('one')
    await write('note', { durable: false })
    expect(steps).toEqual(['begin, flushed', 'one', 'commit', 'begin', 'note', 'commit'])
  })

  test('a note that goes with a durable write shares its commit', async () => {
    await Promise.all([write('note', { durable: false }), write('one')])
    expect(steps).toEqual(['begin, flushed', 'note', 'one', 'commit'])
  })

  test('a durable write is, when its group has failed and it goes alone', async () => {
    const [failed, durable] = await Promise.allSettled([fails(), write('one')])
    expect([failed.status, durable.status]).toEqual(['rejected', 'fulfilled'])
    expect(steps.filter((step) => step.startsWith('begin'))).toEqual([
      'begin, flushed',
      'begin',
      'begin, flushed',
    ])
    expect(steps.slice(-2)).toEqual(['one', 'commit'])
  })

  test('a commit has at most 128 writes, so that the first of many does not wait for all', async () => {
    await Promise.all(Array.from({ length: 129 }, (_, at) => write(`${at}`)))
    expect(steps.indexOf('commit')).toBe(129)
    expect(steps.slice(-3)).toEqual(['begin, flushed', '128', 'commit'])
  })

  test('a write whose transaction cannot begin is not made', async () => {
    const stuck = new GroupCommit({
      db: sqliteSql(new Database(':memory:'))(),
      begin: () => {
        throw new Error('told to fail')
      },
      commit: () => {},
      rollback: () => {},
    })
    await expect(stuck.run(async () => steps.push('made'))).rejects.toThrow('told to fail')
    expect(steps).toEqual([])
  })
})

describe('a patient write', () => {
  test('goes with the next commit', async () => {
    const note = write('note', { durable: false, patient: true })
    await Promise.all([write('one'), note])
    expect(steps).toEqual(['begin, flushed', 'note', 'one', 'commit'])
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
