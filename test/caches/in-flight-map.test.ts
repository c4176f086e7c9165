import { expect, it } from 'vitest'
import { inFlightMap } from '../../src/caches/in-flight-map.ts'

it('keeps what is set until it is deleted', () => {
  const entries = inFlightMap<number>()
  entries.set('a', 1)
  entries.set('b', 2)
  entries.set('a', 3)
  expect([entries.get('a'), entries.get('b'), entries.size()]).toEqual([3, 2, 2])
  expect(entries.values()).toEqual([3, 2])
  entries.delete('a')
  entries.delete('a')
  expect([entries.get('a'), entries.get('b'), entries.size()]).toEqual([undefined, 2, 1])
})

it('takes a name that is one of every object', () => {
  const entries = inFlightMap<number>()
  expect(entries.get('constructor')).toBeUndefined()
  entries.set('__proto__', 1)
  expect([entries.get('__proto__'), entries.size()]).toEqual([1, 1])
})
