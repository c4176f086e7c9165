import { afterEach, describe, expect, test, vi } from 'vitest'
import { type HitCounter, hitCounter } from '../../../src/http/limits/hit-counter.ts'

const HOUR_MS = 3_600_000
let counter: HitCounter
afterEach(() => {
  counter.close()
  vi.useRealTimers()
})

describe('a counter of hits', () => {
  test('says how often a key was hit, and when its window ends', () => {
    vi.useFakeTimers()
    counter = hitCounter(HOUR_MS)
    expect(counter.read('a')).toEqual({ hits: 0, secondsLeft: 0 })
    counter.hit('a')
    vi.advanceTimersByTime(1)
    counter.hit('a')
    expect(counter.read('a')).toEqual({ hits: 2, secondsLeft: 3_600 })
    vi.advanceTimersByTime(HOUR_MS - 2)
    expect(counter.read('a')).toEqual({ hits: 2, secondsLeft: 1 })
    vi.advanceTimersByTime(1)
    expect(counter.read('a')).toEqual({ hits: 0, secondsLeft: 0 })
    expect(counter.read('b')).toEqual({ hits: 0, secondsLeft: 0 })
  })

  test('remembers no more keys than it may, and forgets the oldest first', () => {
    counter = hitCounter(HOUR_MS, 1000)
    for (let at = 0; at < 5000; at++) counter.hit(`key ${at}`)
    const known = Array.from({ length: 5000 }, (_, at) => counter.read(`key ${at}`).hits > 0)
    expect(known.filter(Boolean)).toHaveLength(1000)
    expect(known.slice(-1000).every(Boolean)).toBe(true)
  })
})
