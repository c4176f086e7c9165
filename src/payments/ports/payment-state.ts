import { PAYMENT_STATES, type PaymentRow, type PaymentState } from '../../ledger/payments/payment-row.ts'

/** What a client that knows payer and nonce gets to know of a payment. */
export interface PublicState {
  readonly state: PaymentState | typeof NOT_NEEDED
  readonly transaction?: string
  readonly detail?: string
}

/** Another payment of the payer was taken for the call. */
const NOT_NEEDED = 'not_needed'

export const PUBLIC_STATES = [...PAYMENT_STATES, NOT_NEEDED] as const

const NOT_NEEDED_DETAIL =
  'Another payment of this payer was taken for the call, and this one was not sent. Until it ends, sending it again buys another call.'

export function publicStateOf({ state, doubt, transaction }: PaymentRow): PublicState {
  if (state === 'claimed' && doubt === NOT_NEEDED) return { state: NOT_NEEDED, detail: NOT_NEEDED_DETAIL }
  // Until a payment is settled, its transaction may turn out not to be the one that paid.
  return { state, ...(state === 'settled' && transaction !== null ? { transaction } : {}) }
}
