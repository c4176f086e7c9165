import { expect, test } from 'vitest'
import { finalBlock } from '../../../src/payments/chain/final-block.ts'

test.each([
  [11n, 12n, null],
  [12n, 12n, null],
  [13n, 12n, 1n],
  [112n, 12n, 100n],
  [0n, 0n, null],
  [1n, 0n, 1n],
])('on a chain of %d blocks, of which %d are not final, the last final one is %s', (number, finalityDepth, final) => {
  expect(finalBlock({ number, timestamp: 0 }, { finalityDepth })).toBe(final)
})
