import { expect, test } from 'vitest'
import { boundedCache } from '../../src/caches/bounded-cache.ts'

test('keeps the entries that were used last', () => {
  const cache = boundedCache<number>(2)
  cache.set('a', 1)
  cache.set('b', 2)
  expect(cache.get('a')).toBe(1)
  cache.set('c', 3)
  expect([cache.get('a'), cache.get('b'), cache.get('c')]).toEqual([1, undefined, 3])
  expect(cache.size).toBe(2)
})
