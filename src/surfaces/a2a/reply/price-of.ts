import { formatUnits } from 'viem/utils'
import { USDC_DECIMALS } from '../../../payments/networks/usdc.ts'
import type { Quote } from '../../../payments/ports/sale.ts'

/** What a quote asks for, in US dollars: "0.001", "0.1". */
export function priceOf(quote: Quote): string {
  const [terms] = quote.required('payment_required').accepts
  if (terms === undefined) throw new Error('a quote without terms')
  return formatUnits(BigInt(terms.amount), USDC_DECIMALS)
}
