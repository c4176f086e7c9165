import { fastestRecovery, type RecoverSigner } from '../../payments/authorization/recover-signer.ts'
import { type Channels, createChannels } from '../../payments/channels/channels.ts'
import { createVoucherJudge } from '../../payments/channels/voucher/voucher-judge.ts'
import { createPaidCalls } from '../../payments/sale/paid-calls.ts'
import { countSales, countWithheld, createSaleCounters } from '../../payments/sale/sale-counters.ts'
import { createSell } from '../../payments/sale/sell.ts'
import type { SaleContext } from '../../payments/sale/table/sale-context.ts'
import { createHoldVerdict } from '../../payments/sale/tasks/hold-verdict.ts'
import { createTasks } from '../../payments/sale/tasks/tasks.ts'
import { createOffers, type Offers } from './offers.ts'
import type { PaymentLayerOptions } from './payment-layer-options.ts'
import { createSaleContext } from './sale-context.ts'

export type PaymentLayer = Awaited<ReturnType<typeof buildPaymentLayer>>

export async function buildPaymentLayer(options: PaymentLayerOptions) {
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
    channels: channels && { ...channels, refund: paidCalls.count(channels.refund) },
    paidCalls,
    holdVerdict: countWithheld(createHoldVerdict(context), counts, now),
    tasks: createTasks(context),
    quotes,
    /** Call it every `OFFER_RENEWAL_MS`. */
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
