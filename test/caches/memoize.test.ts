import { expect, test } from 'vitest'
import { memoize, memoizeBy } from '../../src/caches/memoize.ts'

test('a value is read again after its life, and after the clock was put back', async () => {
  let time = 1_000_000
  let reads = 0
  const read = memoize(
    async () => {
      reads += 1
      return reads
    },
    2_000,
    () => time,
  )
  expect(await read()).toBe(1)
  time += 1_999
  expect(await read()).toBe(1)
  time += 1
  expect(await read()).toBe(2)
  time -= 3_600_000
  expect(await read()).toBe(3)
  expect(await read()).toBe(3)
})

test('callers at the same time share one reading, and a failure is not kept', async () => {
  let reads = 0
  let fails = false
  const read = memoize(
    async () => {
      reads += 1
      if (fails) throw new Error('away')
      return reads
    },
    2_000,
    () => 0,
  )
  fails = true
  const failed = await Promise.allSettled([read(), read(), read()])
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected'])
  expect(reads).toBe(1)
  fails = false
  expect(await Promise.all([read(), read()])).toEqual([2, 2])
  expect(await read()).toBe(2)
})

test('each key has a life of its own, and those that were used last are remembered', async () => {
  let time = 0
  const asked: string[] = []
  const read = memoizeBy(
    async (key: string) => {
      asked.push(key)
      return key.length
    },
    { most: 2, lifeMs: 100, now: () => time },
  )
  expect(await Promise.all([read('a'), read('a'), read('bb')])).toEqual([1, 1, 2])
  expect(asked).toEqual(['a', 'bb'])
  time = 99
  await read('a')
  await read('ccc')
  expect(asked).toEqual(['a', 'bb', 'ccc'])
  await read('bb')
  time = 100
  await read('ccc')
  await read('a')
  expect(asked).toEqual(['a', 'bb', 'ccc', 'bb', 'a'])
})
