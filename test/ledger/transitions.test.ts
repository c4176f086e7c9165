import { describe, expect, test } from 'vitest'
import type { PaymentChange } from '../../src/ledger/payments/payment-row.ts'
import { IllegalTransition, requireTransition } from '../../src/ledger/payments/transitions.ts'

const SETTLED = { state: 'settled', origin: 'sale' } as const

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
    const change = { checkType: 'iban', origin: 'adopted' } as const
    expect(() => requireTransition({ ...SETTLED, origin: 'restored' }, change)).not.toThrow()
    expect(() => requireTransition({ ...SETTLED, origin: 'adopted' }, change)).toThrow(IllegalTransition)
  })
})
