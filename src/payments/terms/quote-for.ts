import type { PaymentRequired } from '@x402/core/types'
import { formatUnits } from 'viem/utils'
import { titleOf } from '../networks/networks.ts'
import { USDC_DECIMALS } from '../networks/usdc.ts'
import type { Quote } from '../ports/sale.ts'

export const quoteFor = (quote: Quote, asksForChannels: boolean): Quote =>
  (asksForChannels ? quote.withChannels : undefined) ?? quote

/** In US dollars, e.g. "0.001". */
export const priceOf = ({ accepts: [terms] }: PaymentRequired): string =>
  formatUnits(BigInt(terms?.amount ?? 0), USDC_DECIMALS)

export const networkTitleOf = ({ accepts }: Pick<PaymentRequired, 'accepts'>): string =>
  titleOf(accepts[0]?.network ?? '')
