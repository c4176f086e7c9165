import type { FacilitatorClient } from '@x402/core/server'
import type { LocalAccount } from 'viem'
import type { ChannelRow, ChannelState } from '../../ledger/channel-store.ts'
import type { PaymentKey } from '../../ledger/payment-row.ts'
import type { ChannelAct, TreasuryStore } from '../../ledger/treasury-store.ts'
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

/** Everything that sales over channels are made with; built once at startup, beside the context of other sales. */
export interface ChannelContext
  extends Pick<
    SaleContext,
    | 'ledger'
    | 'bindings'
    | 'receiptOf'
    | 'keys'
    | 'quotes'
    | 'registry'
    | 'now'
    | 'owner'
    | 'pausedBy'
    | 'refusals'
    | 'mismatches'
    | 'timing'
    | 'chain'
    | 'finalityDepth'
  > {
  readonly terms: ChannelTerms
  /** Terms of single payments: price, token and payee. */
  readonly prices: SaleContext['terms']
  readonly reader: ChannelReader
  /** Takes deposits, claims, refunds and sweeps of this scheme. */
  readonly facilitator: FacilitatorClient
  readonly authorizer: LocalAccount
  readonly judgeVoucher: VoucherJudge
  readonly recover: RecoverSigner
  readonly baseUrl: string
  /** Says whether an act of a channel is paid for. May reject with ChainUnavailable. */
  readonly admits: Admits
  /** First deposits on credit by client address, which is in no store. */
  readonly credits: RefusalLimiter
  readonly exposure: Exposure
  readonly report: (event: ChannelEvent) => void
  readonly reportSale: SaleContext['report']
}

export type Admits = (act: ChannelAct) => ReturnType<TreasuryStore['mayAct']>

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
  /** Whether the deposit that came with the call is in the channel; true if none came. */
  isDepositIn: boolean
  /** The transaction of that deposit; null without one. */
  transaction: string | null
}

export interface ChannelView {
  /** Null for a channel that nothing was charged over. */
  readonly row: ChannelRow | null
  /** The channel on the chain, if it was read after the row. */
  readonly fresh: ChannelState | null
}

/** What a voucher is to its channel; the table in `charge/charge-course.ts` says what follows. */
export type VoucherEvent =
  // The newest voucher again.
  /** for the call that it paid for */
  | 'same'
  | 'other'
  /** from a client that named too many differing calls */
  | 'throttled'
  /** after all clients together named too many */
  | 'locked'
  /** what it paid for is no longer known */
  | 'late'
  // Another voucher.
  | 'other_terms'
  /** the row cannot say */
  | 'unread'
  | 'out_of_step'
  /** its deposit is not in the channel yet */
  | 'deposit'
  /** the payer withdraws */
  | 'closing'
  /** too much would be charged and not claimed */
  | 'exposed'
  /** one price further than what is charged, and covered */
  | 'due'

export type ChannelNext = Next<ChannelView, VoucherEvent>

/** The name of one charge, where single payments have the key of their row. */
export const chargeKey = ({ network, config, voucher }: ChannelPayment): PaymentKey => ({
  network,
  asset: config.token,
  payer: config.payer,
  nonce: `${voucher.channelId}/${voucher.amount}`,
})

/** Whether so much of one channel may be charged and not claimed; reports that a bound is reached. */
export function mayExpose(
  { exposure, report }: Pick<ChannelContext, 'exposure' | 'report'>,
  exposed: bigint,
): boolean {
  if (exposure.allows(exposed)) return true
  report('channel_exposure_reached')
  return false
}
