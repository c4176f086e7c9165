import type { FacilitatorClient } from '@x402/core/server'
import type { LocalAccount } from 'viem'
import { DAY_MS } from '../../ledger/utc-days.ts'
import type { RecoverSigner } from '../authorization/recover-signer.ts'
import type { Quote, Sell } from '../ports/sale.ts'
import { createRefusalLimiter } from '../sale/limits/refusal-limiter.ts'
import { createSell } from '../sale/sell.ts'
import type { SaleContext } from '../sale/table/sale-context.ts'
import type { ChannelTerms } from '../terms/channel-terms.ts'
import type { ChannelReader } from './chain/channel-reader.ts'
import type { Admits, ChannelContext, ChannelEvent } from './channel-context.ts'
import { channelScheme } from './charge/channel-scheme.ts'
import { createExposure } from './claims/exposure.ts'
import { createMaintenance, type Maintenance } from './claims/maintain-channels.ts'
import { channelQuote } from './refunds/channel-quote.ts'
import { createRefund, type Refund } from './refunds/refund-channel.ts'
import type { VoucherJudge } from './voucher/voucher-judge.ts'

export interface ChannelParts {
  /** Signs claims and refunds: RECEIVER_AUTHORIZER_KEY. */
  readonly authorizer: LocalAccount
  readonly reader: ChannelReader
  /** What the operator's account says of an act; absent if another party pays for it. */
  readonly admits?: Admits
}

export interface Channels {
  readonly sell: Sell
  readonly refund: Refund
  readonly quote: Quote
  readonly maintenance: Maintenance
}

export function createChannels(
  context: SaleContext,
  options: ChannelParts & {
    readonly terms: ChannelTerms
    readonly recover: RecoverSigner
    readonly judgeVoucher: VoucherJudge
    readonly facilitator: FacilitatorClient
    readonly baseUrl: string
    readonly report: (event: ChannelEvent) => void
  },
): Channels {
  let maintenance: Maintenance | undefined
  const channels: ChannelContext = {
    ...context,
    ...options,
    prices: context.terms,
    reportSale: context.report,
    admits: options.admits ?? (async () => 'admitted'),
    credits: createRefusalLimiter(DAY_MS),
    exposure: createExposure(() => maintenance?.claimSoon()),
  }
  maintenance = createMaintenance(channels)
  return {
    sell: createSell(context, [channelScheme(channels)]),
    refund: createRefund(channels),
    quote: channelQuote(channels),
    maintenance,
  }
}
