import type { FacilitatorClient } from '@x402/core/server'
import type { LocalAccount } from 'viem'
import type { ChannelRow, ChannelState } from '../../ledger/channels/channel-row.ts'
import type { Ledger } from '../../ledger/ledger.ts'
import type { PaymentKey } from '../../ledger/payments/payment-row.ts'
import type { PayersAct } from '../../ledger/treasury/treasury-row.ts'
import type { RecoverSigner } from '../authorization/recover-signer.ts'
import type { Quote } from '../ports/sale.ts'
import type { RefusalLimiter } from '../sale/limits/refusal-limiter.ts'
import type { PurchasedCall } from '../sale/purchase/purchased-call.ts'
import type { Next, Run, SaleContext } from '../sale/table/sale-context.ts'
import type { ChannelTerms } from '../terms/channel-terms.ts'
import type { ChannelReader } from './chain/channel-reader.ts'
import type { Exposure } from './claims/exposure.ts'
import type { ChannelPayment } from './voucher/decode-channel-payment.ts'
import type { VoucherJudge } from './voucher/voucher-judge.ts'

export interface ChannelContext extends Omit<SaleContext, 'terms' | 'report'> {
  readonly terms: ChannelTerms
  readonly prices: SaleContext['terms']
  readonly reader: ChannelReader
  readonly facilitator: FacilitatorClient
  readonly authorizer: LocalAccount
  readonly judgeVoucher: VoucherJudge
  readonly recover: RecoverSigner
  readonly baseUrl: string
  /** Whether the payer has brought in what an act costs. May reject with ChainUnavailable. */
  readonly admits: Admits
  /** Counts first deposits on credit by client address, which is never stored. */
  readonly credits: RefusalLimiter
  readonly exposure: Exposure
  readonly report: (event: ChannelEvent) => void
  readonly reportSale: SaleContext['report']
}

export type Admits = (act: PayersAct) => ReturnType<Ledger['mayAct']>

export type ChannelEvent =
  | 'channel_deposit_doubtful'
  | 'channel_claim_failed'
  | 'channel_voucher_lost'
  | 'channel_withdrawal_seen'
  | 'channel_exposure_reached'

export interface ChannelAttempt {
  readonly call: PurchasedCall
  readonly payment: ChannelPayment
  readonly quote: Quote
  /** Atomic units. */
  readonly price: bigint
}

export interface ChannelRun extends Run {
  readonly context: ChannelContext
  readonly attempt: ChannelAttempt
  /** Whether the deposit of the call is in the channel; true without a deposit. */
  readonly isDepositIn: boolean
  /** The transaction of that deposit. */
  readonly transaction: string | null
}

export interface ChannelView {
  /** Null before the first charge of the channel. */
  readonly row: ChannelRow | null
  /** The channel on the chain, read after the row; null if it was not read. */
  readonly fresh: ChannelState | null
}

/** What a voucher is to its channel; `charge/channel-scheme.ts` has a step for each. */
export type VoucherEvent =
  /** The newest voucher, with the call that it paid for. */
  | 'same'
  /** The newest voucher, with another call. */
  | 'other'
  /** The newest voucher with another call, from a client that has sent too many of these. */
  | 'throttled'
  /** The newest voucher, after too many other calls from all clients together. */
  | 'locked'
  /** The newest voucher, after the binding to its call was deleted. */
  | 'late'
  /** A channel or a price that is not ours. */
  | 'other_terms'
  /** The chain must be read first. */
  | 'unread'
  /** Not the charged sum plus one price, or not covered by the deposit. */
  | 'out_of_step'
  /** One price more, and its deposit is not in the channel yet. */
  | 'deposit'
  /** The payer is withdrawing. */
  | 'closing'
  /** Too much would be charged and not claimed. */
  | 'exposed'
  /** The charged sum plus one price, covered by the deposit. */
  | 'due'

export type ChannelNext = Next<ChannelView, VoucherEvent, ChannelRun>

export const chargeKey = ({ network, config, voucher }: ChannelPayment): PaymentKey => ({
  network,
  asset: config.token,
  payer: config.payer,
  nonce: `${voucher.channelId}/${voucher.amount}`,
})

/**
 * Whether a channel may have so much charged and not claimed; reports if a bound is reached. It stays so while the
 * facilitator lands no claims.
 */
export function mayExpose({ exposure, report }: ChannelContext, exposed: bigint): boolean {
  if (exposure.allows(exposed)) return true
  report('channel_exposure_reached')
  return false
}
