import { describe, expect, test } from 'vitest'
import { PAYMENT_STATES, type PaymentChange } from '../../src/ledger/payment-row.ts'
import { ADOPTED, isBeingRestored, isRestored, UNKNOWN_END } from '../../src/ledger/restored.ts'
import { IllegalTransition, requireTransition } from '../../src/ledger/transitions.ts'

const SETTLED = { state: 'settled', validBefore: 9, leaseUntil: 0 } as const

describe('a settled payment', () => {
  test.each<PaymentChange>([
    { state: 'settled' },
    { audit: 'found' },
    { transaction: '0x1', logIndex: 1 },
    { taskKey: 'key' },
  ])('may be told more about: %j', (change) => {
    expect(() => requireTransition(SETTLED, change)).not.toThrow()
  })

  test.each<PaymentChange>([
    { owner: 'boot-1' },
    { refusal: null },
    { settledAt: 1 },
    { state: 'settled', audit: 'found', binding: null },
  ])('keeps what it was sold as: %j', (change) => {
    expect(() => requireTransition(SETTLED, change)).toThrow(IllegalTransition)
  })

  test('that was restored is changed by the call that claims it, and then no more', () => {
    const restored = { ...SETTLED, validBefore: UNKNOWN_END }
    const change = { checkType: 'iban', leaseUntil: ADOPTED } as const
    expect(() => requireTransition(restored, change)).not.toThrow()
    expect(() => requireTransition({ ...restored, leaseUntil: ADOPTED }, change)).toThrow(IllegalTransition)
  })
})

test('a row is restored in two steps, until its buyer claims it', () => {
  const rows = PAYMENT_STATES.flatMap((state) =>
    [UNKNOWN_END, 9].flatMap((validBefore) =>
      [0, ADOPTED].map((leaseUntil) => ({ state, validBefore, leaseUntil })),
    ),
  )
  expect(rows.filter(isRestored)).toEqual([{ state: 'settled', validBefore: UNKNOWN_END, leaseUntil: 0 }])
  expect(rows.filter(isBeingRestored)).toEqual(
    rows.filter(({ state, validBefore }) => validBefore === UNKNOWN_END && state !== 'settled'),
  )
})
