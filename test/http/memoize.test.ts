import { expect, test } from 'vitest'
import { memoize } from '../../src/http/memoize.ts'

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
