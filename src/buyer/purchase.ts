import type { PaymentRequirements, SettleResponse } from '@x402/core/types'
import type { CheckType, Verdict } from '../checks/verdict.ts'
import type { Refusal } from './answer.ts'
import type { Surface } from './open-counter.ts'

/** What to buy, and where. */
export interface Shop {
  /** Base URL of the service. */
  readonly url: string
  readonly type: CheckType
  /** REST unless said otherwise. */
  readonly surface?: Surface
  /** Most atomic units to pay for one check; dearer terms are not signed. */
  readonly maxAmount: bigint
}

/** No purchase, and nothing was signed. */
export type NotSigned =
  /** The service answered with an error. */
  | (Refusal & { readonly kind: 'refused' })
  /** No terms in USDC on Base at or under the highest price. */
  | { readonly kind: 'too_dear'; readonly terms: PaymentRequirements | null }
  /** No answer that could be read. */
  | { readonly kind: 'unreachable' }

/** What came of asking for the terms. */
export type TermsOutcome = { readonly kind: 'terms'; readonly terms: PaymentRequirements } | NotSigned

export type PurchaseOutcome =
  | {
      readonly kind: 'bought'
      readonly verdict: Verdict
      readonly settlement: SettleResponse
      /** Answered from an earlier payment and not charged again. */
      readonly replayed: boolean
      /** What the terms asked for, in atomic units. */
      readonly amount: string
    }
  | NotSigned
  /** Signed and sent; whether it was charged is not known. `state` is where the service tells, once it knows. */
  | (Refusal & { readonly kind: 'in_doubt'; readonly state: string })
