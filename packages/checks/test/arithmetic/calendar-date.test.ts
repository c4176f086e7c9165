import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isCalendarDate } from '../../src/arithmetic/calendar-date.ts'

describe('isCalendarDate', () => {
  test('knows leap years of both rules', () => {
    expect(isCalendarDate(2000, 2, 29)).toBe(true)
    expect(isCalendarDate(1900, 2, 29)).toBe(false)
    expect(isCalendarDate(2024, 2, 29)).toBe(true)
    expect(isCalendarDate(2023, 2, 29)).toBe(false)
  })

  test('agrees with the platform calendar', () => {
    const year = fc.integer({ min: 1800, max: 2299 })
    fc.assert(
      fc.property(year, fc.nat({ max: 99 }), fc.nat({ max: 99 }), (y, month, day) => {
        const date = new Date(Date.UTC(y, month - 1, day))
        const exists =
          date.getUTCFullYear() === y && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
        return isCalendarDate(y, month, day) === exists
      }),
      { numRuns: 2000 },
    )
  })
})
