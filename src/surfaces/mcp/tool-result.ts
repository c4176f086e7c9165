/**
 * Sales as tool results.
 *
 * x402 v2, transports, MCP: the 402 is a result with `isError` whose PaymentRequired stands in `structuredContent` and
 * as JSON in the text; the receipt is `_meta["x402/payment-response"]`. One more place, `_meta["x402/error"]`, is
 * where the clients of Cloudflare's `agents` look. Outcomes without terms carry no `accepts`, so no wallet pays again.
 */
import type { CallToolResult } from '@modelcontextprotocol/server'
import type { PaymentRequired } from '@x402/core/types'
import { consequencesOf, detailOn, type ErrorCode, itemDetailOn } from '../../errors.ts'
import { listResult } from '../../payments/ports/list-result.ts'
import type { Declined, Quote, Sold, Unpaid, ValueCall } from '../../payments/ports/sale.ts'

/** A sale: the same JSON in both places, as hosts pass on either one or the other. */
export function soldResult(sale: Sold, shape: ValueCall['shape']): CallToolResult {
  return {
    ...bothWays(shape === 'single' ? sale.verdicts[0] : listResult(sale.verdicts)),
    _meta: {
      'x402/payment-response': sale.settlement,
      ...(sale.replayed && { 'format-checker/replayed': true }),
      ...(sale.rulesetChanged && { 'format-checker/rulesetChanged': true }),
    },
  }
}

export function unpaidResult(sale: Unpaid): CallToolResult {
  const required: PaymentRequired = sale.quote.required(sale.code)
  return {
    isError: true,
    ...bothWays(required),
    _meta: {
      'x402/error': required,
      ...errorMeta(sale.code),
      ...(sale.settlement && { 'x402/payment-response': sale.settlement }),
      ...(sale.serverTime !== undefined && { 'format-checker/serverTime': sale.serverTime }),
    },
  }
}

/**
 * A declined sale. Terms are offered only if the record of the payment is final: wallets that send their last
 * signature again (`mcpc`) then sign again, while a payment that may still settle is never paid twice.
 */
export async function declinedResult(
  sale: Pick<Declined, 'code' | 'retryAfterSeconds' | 'final' | 'settlement'>,
  quote: () => Promise<Quote>,
): Promise<CallToolResult> {
  const { code, retryAfterSeconds, final } = sale
  const receipt = sale.settlement === undefined ? {} : { 'x402/payment-response': sale.settlement }
  if (final === true) {
    const error = `${code}: ${detailOn(code, 'mcp')}`
    const required: PaymentRequired = { ...(await quote()).required('payment_required'), error }
    return {
      isError: true,
      ...bothWays(required),
      _meta: { 'x402/error': required, ...errorMeta(code), ...receipt },
    }
  }
  return textError(code, {
    'x402/error': { error: code, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) },
    ...receipt,
  })
}

/** Arguments out of form, with the `index` of the item of a list that is; and failures of the service. */
export function failedResult(code: ErrorCode, index?: number): CallToolResult {
  return textError(code, {}, index)
}

function textError(code: ErrorCode, meta: Record<string, unknown>, index?: number): CallToolResult {
  const where = index === undefined ? '' : ` (items[${index}])`
  const detail = index === undefined ? detailOn(code, 'mcp') : itemDetailOn(code, 'mcp')
  return {
    isError: true,
    content: [{ type: 'text', text: `${code}: ${detail}${where}` }],
    _meta: { ...meta, ...errorMeta(code, index) },
  }
}

const errorMeta = (code: ErrorCode, index?: number) => ({
  'format-checker/error': { code, ...(index === undefined ? {} : { index }), ...consequencesOf(code) },
})

function bothWays(data: object): Pick<CallToolResult, 'content' | 'structuredContent'> {
  return { content: [{ type: 'text', text: JSON.stringify(data) }], structuredContent: { ...data } }
}
