import { fastestRecovery, type RecoverSigner } from '../../payments/authorization/recover-signer.ts'
import { type Channels, createChannels } from '../../payments/channels/channels.ts'
import { createVoucherJudge } from '../../payments/channels/voucher/voucher-judge.ts'
import type { Sell } from '../../payments/ports/sale.ts'
import type { HoldVerdict, Tasks } from '../../payments/ports/task.ts'
import { createPaidCalls, type PaidCalls } from '../../payments/sale/paid-calls.ts'
import {
  countSales,
  countWithheld,
  createSaleCounters,
  type SaleCounters,
} from '../../payments/sale/sale-counters.ts'
import { createSell } from '../../payments/sale/sell.ts'
import type { SaleContext } from '../../payments/sale/table/sale-context.ts'
import { createHoldVerdict } from '../../payments/sale/tasks/hold-verdict.ts'
import { createTasks } from '../../payments/sale/tasks/tasks.ts'
import type { QuoteBook } from '../../payments/terms/quotes.ts'
import type { Terms } from '../../payments/terms/terms.ts'
import type { ReceiptIdentity } from '../../receipts/receipt-signer.ts'
import { createOffers, type Offers } from './offers.ts'
import type { PaymentLayerOptions } from './payment-layer-options.ts'
import { createSaleContext } from './sale-context.ts'

export interface PaymentLayer {
  readonly sell: Sell
  readonly holdVerdict: HoldVerdict
  readonly tasks: Tasks
  readonly quotes: QuoteBook
  /** Signs all offers again; call it every `OFFER_RENEWAL_MS`. */
  readonly renewQuotes: () => Promise<void>
  readonly receipts: ReceiptIdentity
  /** On the first network. */
  readonly terms: Terms
  readonly counts: SaleCounters
  readonly context: SaleContext
  readonly channels?: Channels
  /** Calls of `sell` and refunds under way. */
  readonly paidCalls: Pick<PaidCalls, 'finish'>
}

export async function buildPaymentLayer(options: PaymentLayerOptions): Promise<PaymentLayer> {
  const { ledger, now } = options
  const recover = fastestRecovery()
  const offers = await createOffers(options)
  const context = createSaleContext(options, offers, recover)
  const counts = createSaleCounters(ledger, options.onCount)
  const channels = openChannels(options, { context, offers, recover })
  const paidCalls = createPaidCalls()
  const { quotes, renewQuotes } = offers
  return {
    sell: countSales(paidCalls.count(channels?.sell ?? createSell(context)), counts, now),
    ...(channels === undefined
      ? {}
      : { channels: { ...channels, refund: paidCalls.count(channels.refund) } }),
    paidCalls,
    holdVerdict: countWithheld(createHoldVerdict(context), counts, now),
    tasks: createTasks(context),
    quotes,
    renewQuotes,
    receipts: offers.signer,
    terms: context.terms,
    counts,
    context,
  }
}

interface SingleSales {
  readonly context: SaleContext
  readonly offers: Offers
  readonly recover: RecoverSigner
}

function openChannels(
  { networks: [{ facilitator }], baseUrl, log, onEvent }: PaymentLayerOptions,
  { context, offers, recover }: SingleSales,
): Channels | undefined {
  if (offers.channels === undefined) return undefined
  return createChannels(context, {
    ...offers.channels,
    recover,
    judgeVoucher: createVoucherJudge(context.terms.network, recover),
    facilitator,
    baseUrl,
    report: (event) => {
      log.warn({ event }, 'channels')
      onEvent?.(event)
    },
  })
}
