import Database from 'better-sqlite3'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Schema } from '../../../src/ledger/schema.ts'
import { directKysely } from '../../../src/ledger/sqlite/direct-executor.ts'
import { GroupCommit } from '../../../src/ledger/sqlite/group-commit.ts'

let commits: GroupCommit
let flushing: boolean[]
let close: () => Promise<void>

beforeEach(async () => {
  const db = await directKysely<Schema>(new Database(':memory:'))
  flushing = []
  commits = new GroupCommit(db, (flush) => flushing.push(flush))
  close = () => db.destroy()
})
afterEach(() => close())

const write = (durable?: boolean) =>
  commits.run(async () => flushing.at(-1) ?? true, durable === undefined ? {} : { durable })

describe('whether a commit is flushed', () => {
  test('it is, unless told otherwise', async () => {
    expect([await write(), await write(true)]).toEqual([true, true])
    expect(flushing).toEqual([])
  })

  test('a note alone is not, and the next durable write is again', async () => {
    expect([await write(false), await write(false), await write(), await write(false)]).toEqual([
      false,
      false,
      true,
      false,
    ])
    expect(flushing).toEqual([false, true, false])
  })

  test('a note that goes with a durable write is flushed with it', async () => {
    await write(false)
    expect(await Promise.all([write(false), write(), write(false)])).toEqual([true, true, true])
  })

  test('a durable write is, when its group has failed and it goes alone', async () => {
    const failing = commits.run(() => Promise.reject(new Error('told to fail')), { durable: false })
    const [failed, durable] = await Promise.allSettled([failing, write()])
    expect(failed.status).toBe('rejected')
    expect(durable).toEqual({ status: 'fulfilled', value: true })
  })

  test('a write is not made where the flush cannot be set', async () => {
    const stuck = new GroupCommit(await directKysely<Schema>(new Database(':memory:')), () => {
      throw new Error('told to fail')
    })
    const made: string[] = []
    const note = stuck.run(async () => made.push('note'), { durable: false })
    await expect(note).rejects.toThrow('told to fail')
    expect(made).toEqual([])
    expect(await stuck.run(async () => 'durable')).toBe('durable')
  })
})
