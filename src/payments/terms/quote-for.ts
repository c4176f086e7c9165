import type { PaymentRequired } from '@x402/core/types'
import { formatUnits } from 'viem/utils'
import { titleOf } from '../networks/networks.ts'
import { USDC_DECIMALS } from '../networks/usdc.ts'
import type { Quote } from '../ports/sale.ts'

/** In `_meta` of an MCP tool call or the metadata of an A2A message, with the value true: asks for the offer of channels. */
export const CHANNELS_KEY = 'format-checker/channels'

/** A quote as its client sees it: with the offer of channels if it asks for it and channels are on. */
export const quoteFor = (quote: Quote, asksForChannels: boolean): Quote =>
  (asksForChannels ? quote.withChannels : undefined) ?? quote

/** The price of the call in US dollars, e.g. "0.001". */
export const priceOf = ({ accepts: [terms] }: PaymentRequired): string =>
  formatUnits(BigInt(terms?.amount ?? 0), USDC_DECIMALS)

export const networkTitleOf = ({ accepts }: Pick<PaymentRequired, 'accepts'>): string =>
  titleOf(accepts[0]?.network ?? '')
