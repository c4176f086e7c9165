import { expect, test } from 'vitest'
import { memoize } from '../src/memoize.ts'

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
