import { expect, test } from 'vitest'
import { raiseFees } from '../../../../../src/payments/facilitators/self/gas/gas.ts'

test('a replacement offers a quarter more than before, or the fees of the moment where these are higher', () => {
  const old = { maxFeePerGas: 100n, maxPriorityFeePerGas: 10n }
  expect(raiseFees(old, { maxFeePerGas: 126n, maxPriorityFeePerGas: 13n })).toEqual({
    maxFeePerGas: 126n,
    maxPriorityFeePerGas: 13n,
  })
  expect(raiseFees(old, { maxFeePerGas: 1n, maxPriorityFeePerGas: 20n })).toEqual({
    maxFeePerGas: 126n,
    maxPriorityFeePerGas: 20n,
  })
})
