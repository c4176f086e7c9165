import { isNotNow } from '../../errors.ts'
import type { Sale, Sell } from '../../payments/ports/sale.ts'

/** How a call with a payment ended; a closed list, because it is a label. */
export const PAID_OUTCOMES = [
  'sold',
  'replayed',
  /** The payment was not accepted; the buyer has the reason and the terms. */
  'refused',
  /** Another payment would not help: used, locked, over a limit, or its task is gone. */
  'declined',
  /** A settlement was sent and its outcome is open. */
  'in_doubt',
  /** Store, chain or facilitator did not answer, or the process is shutting down; nothing was charged. */
  'unavailable',
  'error',
] as const
export type PaidOutcome = (typeof PAID_OUTCOMES)[number]

export interface PaidCallObserver {
  begun(): void
  /** Called once for each call that began. */
  ended(outcome: PaidOutcome, ms: number): void
}

export function observeSell(sell: Sell, observer: PaidCallObserver): Sell {
  return async (call, rawPayment) => {
    if (rawPayment.kind === 'none') return sell(call, rawPayment)
    const begun = performance.now()
    let outcome: PaidOutcome = 'error'
    observer.begun()
    try {
      const sale = await sell(call, rawPayment)
      outcome = paidOutcomeOf(sale)
      return sale
    } finally {
      observer.ended(outcome, performance.now() - begun)
    }
  }
}

function paidOutcomeOf(sale: Sale): PaidOutcome {
  switch (sale.kind) {
    case 'sold':
      return sale.replayed ? 'replayed' : 'sold'
    case 'unpaid':
      return 'refused'
    case 'declined':
      if (sale.code === 'payment_in_doubt') return 'in_doubt'
      return isNotNow(sale.code) ? 'unavailable' : 'declined'
  }
}
