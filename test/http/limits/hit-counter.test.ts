import { afterEach, describe, expect, test } from 'vitest'
import { type HitCounter, hitCounter } from '../../../src/http/limits/hit-counter.ts'

const HOUR_MS = 3_600_000
let counter: HitCounter
afterEach(() => counter.close())

describe('a counter of hits', () => {
  test('says how long a key has to wait once it is at its limit', () => {
    counter = hitCounter(2, HOUR_MS)
    counter.hit('a')
    expect(counter.secondsLeft('a')).toBeUndefined()
    counter.hit('a')
    expect(counter.secondsLeft('a')).toBeGreaterThan(3000)
    expect(counter.secondsLeft('b')).toBeUndefined()
  })

  test('remembers no more keys than it may, and forgets the oldest first', () => {
    counter = hitCounter(1, HOUR_MS, 1000)
    for (let at = 0; at < 5000; at++) counter.hit(`key ${at}`)
    const known = Array.from({ length: 5000 }, (_, at) => counter.secondsLeft(`key ${at}`) !== undefined)
    expect(known.filter(Boolean)).toHaveLength(1000)
    expect(known.slice(-1000).every(Boolean)).toBe(true)
  })
})
