import type { PaymentRow } from '../payments/payment-row.ts'

export interface Count {
  /** UTC day, YYYY-MM-DD. */
  readonly day: string
  readonly surface: string
  readonly checkType: string
  readonly outcome: string
  readonly count: number
}

export interface Sales {
  readonly sales: number
  readonly values: number
  readonly delivered: number
  /** Atomic units of the asset. */
  readonly revenue: bigint
}

export interface PayerSales extends Sales {
  readonly payer: string
}

export interface Backlog {
  readonly claimed: number
  readonly settling: number
  readonly inDoubt: number
  readonly refused: number
  readonly inDoubtSince: number | null
  readonly auditMissing: number
  readonly auditPending: number
  readonly auditPendingSince: number | null
  readonly unpaidTasks: number
}

export interface AttentionOptions {
  readonly now: number
  readonly undeliveredSince: number
  readonly undeliveredBefore: number
  readonly limit: number
}

export interface Attention {
  /** In doubt, or settling with an expired lease; oldest first. */
  readonly inDoubt: readonly PaymentRow[]
  /** Settled, but the transfer is not on the chain; oldest first. */
  readonly missing: readonly PaymentRow[]
  /** Settled, but no reply left in full; newest first. */
  readonly undelivered: readonly PaymentRow[]
}
