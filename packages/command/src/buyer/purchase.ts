import type { PaymentRequirements, SettleResponse } from '@x402/core/types'
import type { CheckType, Verdict } from 'format-checker-checks/verdict'
import type { Network } from '../../../../src/payments/networks/network.ts'
import type { ClocksDiffer } from './clocks.ts'
import type { Surface } from './open-client.ts'
import type { Refusal } from './reply.ts'

export interface PurchaseOptions {
  readonly url: string
  readonly type: CheckType
  /** REST by default. */
  readonly surface?: Surface
  /** The most to pay for one check, in atomic units; terms above it are not signed. */
  readonly maxAmount: bigint
  /** The only network that is signed for; the default network if absent. */
  readonly network?: Network
}

/** Nothing was bought, and nothing signed. */
export type NotSigned =
  | (Refusal & { readonly kind: 'refused' })
  /** No terms in USDC on the network for at most `maxAmount`; `terms` is null if there are none at any price. */
  | { readonly kind: 'price_too_high'; readonly terms: PaymentRequirements | null }
  /** No readable reply from `url`. */
  | { readonly kind: 'unreachable'; readonly url: string }
  | ClocksDiffer

export type TermsOutcome = { readonly kind: 'terms'; readonly terms: PaymentRequirements } | NotSigned

export type PurchaseOutcome =
  | {
      readonly kind: 'bought'
      readonly verdict: Verdict
      readonly settlement: SettleResponse
      readonly replayed: boolean
      /** The price in the terms, in atomic units. */
      readonly amount: string
    }
  | NotSigned
  /** Signed and sent; the service says that it is not charged. */
  | (Refusal & { readonly kind: 'refused'; readonly signed: true; readonly payer: string })
  /** Signed and sent, and not known to be charged; `state`: the URL at which the service publishes the outcome. */
  | (Refusal & { readonly kind: 'in_doubt'; readonly state: string })
