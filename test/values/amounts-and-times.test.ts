import { formatUnits } from 'viem/utils'
import { expect, test } from 'vitest'
import { millionths } from '../../src/values/millionths.ts'
import { utcTime } from '../../src/values/utc-time.ts'

test.each([
  [0, '1970-01-01T00:00:00Z'],
  [951_782_400, '2000-02-29T00:00:00Z'],
  [1_763_683_200, '2025-11-21T00:00:00Z'],
  [253_402_300_799, '9999-12-31T23:59:59Z'],
])('%i seconds are %s', (seconds, text) => expect(utcTime(seconds)).toBe(text))

test('millionths are what viem makes of six decimals', () => {
  for (const amount of [0n, 1n, 10n, 100n, 1_000n, 999_999n, 1_000_000n, 10_000_000n, 1_234_560n, 10n ** 30n])
    expect(millionths(amount)).toBe(formatUnits(amount, 6))
})
