/**
 * Sales as tool results.
 *
 * x402 v2, transports, MCP: the 402 is a result with `isError` whose PaymentRequired stands in `structuredContent` and
 * as JSON in the text; the receipt is `_meta["x402/payment-response"]`. One more place, `_meta["x402/error"]`, is
 * where the clients of Cloudflare's `agents` look. Outcomes without terms carry no `accepts`, so no wallet pays again.
 */
import type { CallToolResult } from '@modelcontextprotocol/server'
import type { PaymentRequired } from '@x402/core/types'
import { ERRORS, type ErrorCode } from '../../errors.ts'
import type { Declined, Sold, Unpaid } from '../../payments/sale.ts'

/** A sale: the same JSON in both places, as hosts pass on either one or the other. */
export function soldResult(sale: Sold): CallToolResult {
  return {
    ...bothWays(sale.verdicts[0]),
    _meta: {
      'x402/payment-response': sale.settlement,
      ...(sale.replayed && { 'format-checker/replayed': true }),
      ...(sale.rulesetChanged && { 'format-checker/rulesetChanged': true }),
    },
  }
}

/** Terms to pay by; nothing was charged. */
export function unpaidResult(sale: Unpaid): CallToolResult {
  const required: PaymentRequired = sale.quote.required(sale.code)
  return {
    isError: true,
    ...bothWays(required),
    _meta: {
      'x402/error': required,
      ...(sale.settlement && { 'x402/payment-response': sale.settlement }),
      ...(sale.serverTime !== undefined && { 'format-checker/serverTime': sale.serverTime }),
    },
  }
}

/** An outcome that another payment would not change. */
export function declinedResult(sale: Pick<Declined, 'code' | 'retryAfterSeconds'>): CallToolResult {
  const { code, retryAfterSeconds } = sale
  return textError(code, {
    'x402/error': { error: code, ...(retryAfterSeconds !== undefined && { retryAfterSeconds }) },
  })
}

/** Arguments that are no input of the skill, and defects of our own. */
export function failedResult(code: ErrorCode): CallToolResult {
  return textError(code, { 'format-checker/error': { code } })
}

function textError(code: ErrorCode, _meta: Record<string, unknown>): CallToolResult {
  return { isError: true, content: [{ type: 'text', text: `${code}: ${ERRORS[code].detail}` }], _meta }
}

function bothWays(data: object): Pick<CallToolResult, 'content' | 'structuredContent'> {
  return { content: [{ type: 'text', text: JSON.stringify(data) }], structuredContent: { ...data } }
}
