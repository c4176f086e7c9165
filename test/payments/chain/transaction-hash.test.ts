import { describe, expect, test } from 'vitest'
import { isWithoutTransaction, transactionHashOf } from '../../../src/payments/chain/transaction-hash.ts'

const HASH = `0x${'ab'.repeat(32)}`

describe('the transaction that a facilitator names', () => {
  test('is a hash in either case', () => {
    expect(transactionHashOf(HASH)).toBe(HASH)
    expect(transactionHashOf(HASH.toUpperCase())).toBe(HASH)
  })

  test.each([
    ['a number', 7],
    ['a list of a hash', [HASH]],
    ['a text', 'pending'],
    ['a hash that is too short', HASH.slice(0, -1)],
    ['a hash that is too long', `${HASH}0`],
  ])('is no hash if it is %s, and may be a transaction all the same', (_what, named) => {
    expect(transactionHashOf(named)).toBeNull()
    expect(isWithoutTransaction(named)).toBe(false)
  })

  test.each([undefined, null, ''])('is not there if it is %j', (named) => {
    expect(transactionHashOf(named)).toBeNull()
    expect(isWithoutTransaction(named)).toBe(true)
  })
})
