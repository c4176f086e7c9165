import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatUsd } from '../../../../src/payments/networks/usdc.ts'

test.each([
  [0n, '$0.00'],
  [1n, '$0.000001'],
  [1_000n, '$0.001'],
  [10_000n, '$0.01'],
  [100_000n, '$0.10'],
  [1_234_567n, '$1.234567'],
  [1_000_000_000n, '$1,000.00'],
  [9_007_199_254_740_993_000_001n, '$9,007,199,254,740,993.000001'],
])('%s atomic units are %s', (amount, text) => {
  expect(formatUsd(amount)).toBe(text)
})

test('no amount is rounded', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 1n << 80n }), (amount) => {
      const [whole = '', fraction = ''] = formatUsd(amount).replaceAll(/[$,]/g, '').split('.')
      expect(BigInt(whole) * 1_000_000n + BigInt(fraction.padEnd(6, '0'))).toBe(amount)
    }),
  )
})
