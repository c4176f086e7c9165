import type { PaymentRequired } from '@x402/core/types'
import { formatUnits } from 'viem/utils'
import { makeOnce } from '../../caches/memoize.ts'
import type { UnpaidCode } from '../../errors.ts'
import { deepFreeze, encodeHeader } from '../../values/json.ts'
import { titleOf } from '../networks/networks.ts'
import { USDC_DECIMALS } from '../networks/usdc.ts'
import type { Quote } from '../ports/sale.ts'

/** Terms are made and encoded at their first use. */
export function quoteOf(requiredFor: (code: UnpaidCode) => PaymentRequired): Quote {
  const made = makeOnce(new Map<UnpaidCode, { required: PaymentRequired; header: string }>(), (code) => {
    const required = deepFreeze(requiredFor(code))
    return { required, header: encodeHeader(required) }
  })
  return { required: (code) => made(code).required, header: (code) => made(code).header }
}

export const quoteFor = (quote: Quote, asksForAllSchemes = false): Quote =>
  (asksForAllSchemes ? quote.ofAllSchemes : undefined) ?? quote

export const offers = (quote: Quote, scheme: string): boolean =>
  quote.required('payment_required').accepts.some((terms) => terms.scheme === scheme)

/** In US dollars, e.g. "0.001". */
export const priceOf = ({ accepts: [terms] }: PaymentRequired): string =>
  formatUnits(BigInt(terms?.amount ?? 0), USDC_DECIMALS)

export const networkTitleOf = ({ accepts }: Pick<PaymentRequired, 'accepts'>): string =>
  titleOf(accepts[0]?.network ?? '')
