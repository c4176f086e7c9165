import { describe, expect, test } from 'vitest'
import { isRecent } from '../../src/caches/is-recent.ts'

describe('isRecent', () => {
  test('ends exactly after the given time', () => {
    expect(isRecent(1_000, 1_999, 1_000)).toBe(true)
    expect(isRecent(1_000, 2_000, 1_000)).toBe(false)
  })

  test('does not last longer after the clock was put back', () => {
    expect(isRecent(1_999, 1_000, 1_000)).toBe(true)
    expect(isRecent(2_000, 1_000, 1_000)).toBe(false)
  })
})
