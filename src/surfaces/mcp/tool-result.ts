/**
 * Sales as tool results (x402 version 2, transports, MCP).
 *
 * A 402 is a result with `isError`; its PaymentRequired is in `structuredContent`, as JSON in the text, and in
 * `_meta["x402/error"]`, where Cloudflare's `agents` reads it. Without `accepts` no wallet pays, so outcomes that must not be
 * paid again have none. What is undefined is left out of the JSON.
 */
import type { CallToolResult } from '@modelcontextprotocol/server'
import type { PaymentRequired } from '@x402/core/types'
import { listResult } from '../../catalog/list-result.ts'
import { consequencesOf, detailOn, type ErrorCode, itemDetailOn } from '../../errors.ts'
import type { Declined, Quote, Sold, Unpaid, ValueCall } from '../../payments/ports/sale.ts'

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
  return termsResult(sale.quote.required(sale.code), sale.code, {
    ...receiptMeta(sale),
    'format-checker/serverTime': sale.serverTime,
  })
}

/**
 * Offers terms only if the record of the payment is final. A wallet that sends its last signature again (`mcpc`) then signs a
 * new one, and a payment that may still settle is never paid twice.
 */
export async function declinedResult(sale: Declined, quote: () => Promise<Quote>): Promise<CallToolResult> {
  const { code, retryAfterSeconds } = sale
  if (sale.final === true) {
    const error = `${code}: ${detailOn(code, 'mcp')}`
    const required = { ...(await quote()).required('payment_required'), error }
    return termsResult(required, code, receiptMeta(sale))
  }
  return failedResult(code, undefined, {
    'x402/error': { error: code, retryAfterSeconds },
    ...receiptMeta(sale),
  })
}

function termsResult(required: PaymentRequired, code: ErrorCode, meta: object): CallToolResult {
  return {
    isError: true,
    ...bothWays(required),
    _meta: { 'x402/error': required, ...errorMeta(code), ...meta },
  }
}

const receiptMeta = ({ settlement }: Unpaid | Declined) => ({ 'x402/payment-response': settlement })

/** An error without terms; `index` of the first item of a list with a fault. */
export function failedResult(code: ErrorCode, index?: number, meta: object = {}): CallToolResult {
  const where = index === undefined ? '' : ` (items[${index}])`
  const detail = index === undefined ? detailOn(code, 'mcp') : itemDetailOn(code, 'mcp')
  return {
    isError: true,
    content: [{ type: 'text', text: `${code}: ${detail}${where}` }],
    _meta: { ...meta, ...errorMeta(code, index) },
  }
}

const errorMeta = (code: ErrorCode, index?: number) => ({
  'format-checker/error': { code, index, ...consequencesOf(code) },
})

/** The same JSON twice, because some hosts pass on the one and some the other. */
function bothWays(data: object): Pick<CallToolResult, 'content' | 'structuredContent'> {
  return { content: [{ type: 'text', text: JSON.stringify(data) }], structuredContent: { ...data } }
}
