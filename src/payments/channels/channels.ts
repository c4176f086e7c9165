import type { Hex, LocalAccount } from 'viem'
import { DAY_MS } from '../../values/utc-days.ts'
import type { Quote, Sell } from '../ports/sale.ts'
import { createRefusalLimiter } from '../sale/limits/refusal-limiter.ts'
import { createSell } from '../sale/sell.ts'
import type { SaleContext } from '../sale/table/sale-context.ts'
import type { ChannelReader } from './chain/channel-reader.ts'
import type { Admits, ChannelContext } from './channel-context.ts'
import { channelScheme } from './charge/channel-scheme.ts'
import { createExposure } from './claims/exposure.ts'
import { createMaintenance, type Maintenance } from './claims/maintain-channels.ts'
import { channelQuote } from './refunds/channel-quote.ts'
import { createRefund, type Refund } from './refunds/refund-channel.ts'

export interface ChannelParts {
  readonly authorizer: LocalAccount
  readonly reader: ChannelReader
  /** Absent if another party pays the gas. */
  readonly admits?: Admits
}

export interface Channels {
  /** The address that signs claims, in lower case. */
  readonly receiverAuthorizer: Hex
  readonly sell: Sell
  readonly refund: Refund
  readonly quote: Quote
  readonly maintenance: Maintenance
}

export function createChannels(
  context: SaleContext,
  options: ChannelParts &
    Pick<ChannelContext, 'terms' | 'recover' | 'judgeVoucher' | 'facilitator' | 'baseUrl' | 'report'>,
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
  const quote = channelQuote(channels)
  return {
    receiverAuthorizer: channels.terms.receiverAuthorizer,
    sell: createSell(context, [channelScheme(channels)]),
    refund: createRefund(channels, quote),
    quote,
    maintenance,
  }
}
