import type { FacilitatorClient } from '@x402/core/server'
import type { LocalAccount } from 'viem'
import type { PaymentKey } from '../../../ledger/payment-row.ts'
import type { RecoverSigner } from '../../authorization/recover-signer.ts'
import type { ReceiptSigner } from '../../extensions/receipt-signer.ts'
import type { Quote } from '../../ports/sale.ts'
import type { PurchasedCall } from '../../sale/purchase/purchased-call.ts'
import type { SaleContext } from '../../sale/table/sale-context.ts'
import type { ChannelTerms } from '../../terms/channel-terms.ts'
import { NETWORK } from '../../terms/terms.ts'
import type { ChannelReader } from '../chain/channel-reader.ts'
import type { Exposure } from '../claims/exposure.ts'
import type { ChannelPayment } from '../voucher/decode-channel-payment.ts'
import type { VoucherJudge } from '../voucher/voucher-judge.ts'

/** Everything that sales over channels are made with; built once at startup, beside the context of other sales. */
export interface ChannelContext
  extends Pick<
    SaleContext,
    | 'ledger'
    | 'bindings'
    | 'keys'
    | 'quotes'
    | 'registry'
    | 'now'
    | 'owner'
    | 'maySettle'
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
  /** Signs claims and refunds. */
  readonly authorizer: LocalAccount
  readonly judgeVoucher: VoucherJudge
  readonly recover: RecoverSigner
  readonly signer: ReceiptSigner
  readonly baseUrl: string
  readonly exposure: Exposure
  readonly report: (event: ChannelEvent) => void
}

export type ChannelEvent =
  | 'channel_deposit_doubtful'
  | 'channel_claim_failed'
  | 'channel_voucher_lost'
  | 'channel_withdrawal_seen'
  | 'channel_exposure_reached'

/** A call that is paid for by a voucher, maybe with a deposit. */
export interface ChannelAttempt {
  readonly call: PurchasedCall
  readonly payment: ChannelPayment
  readonly quote: Quote
  /** Atomic units. */
  readonly price: bigint
}

/** The name of one charge, where single payments have the key of their row. */
export const chargeKey = ({ config, voucher }: ChannelPayment): PaymentKey => ({
  network: NETWORK,
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
