import { expect, test } from 'vitest'
import { paginate } from '../../src/values/paginate.ts'

test.each([0, 1, 99, 100, 101, 200, 250])('of %d rows each is read once, in order', async (count) => {
  const rows = Array.from({ length: count }, (_, at) => ({ at }))
  const read = async (limit: number, after?: { at: number }) => {
    const from = after === undefined ? 0 : after.at + 1
    return rows.slice(from, from + limit)
  }
  const found: number[] = []
  for await (const { at } of paginate(read)) found.push(at)
  expect(found).toEqual(rows.map(({ at }) => at))
})

test('a page that is not full is the last one: nothing more is asked for', async () => {
  let reads = 0
  const read = async () => {
    reads += 1
    return ['row']
  }
  for await (const _ of paginate(read));
  expect(reads).toBe(1)
})
