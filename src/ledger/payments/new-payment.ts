import type { PaymentRow } from './payment-row.ts'

const AT_CLAIM = {
  refusal: null,
  doubt: null,
  transaction: null,
  logIndex: null,
  audit: null,
  mismatches: 0,
  awaitsAnswer: true,
  settledAt: null,
  deliveredAt: null,
} as const satisfies Partial<PaymentRow>

/** A row before its claim. With `settlingAt` it starts as `settling`, tried once; else as `claimed`. */
export type NewPayment = Omit<PaymentRow, keyof typeof AT_CLAIM | 'state' | 'attempts'>

export const claimedRow = (payment: NewPayment): PaymentRow => ({
  ...payment,
  ...AT_CLAIM,
  ...(payment.settlingAt === null
    ? ({ state: 'claimed', attempts: 0 } as const)
    : ({ state: 'settling', attempts: 1 } as const)),
})
