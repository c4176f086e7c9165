/**
 * x402 version 2, transports, MCP. The PaymentRequired of a 402 is in `structuredContent`, as JSON in the text, and in
 * `_meta["x402/error"]`, which Cloudflare's `agents` reads. Without `accepts` no wallet pays, so outcomes that must not
 * be paid again have none.
 */
import type { CallToolResult } from '@modelcontextprotocol/server'
import type { PaymentRequired } from '@x402/core/types'
import { listResult } from '../../catalog/list-result.ts'
import { consequencesOf, detailOn, type ErrorCode, itemDetailOn } from '../../errors.ts'
import type { Declined, Sold, Unpaid, ValueCall } from '../../payments/ports/sale.ts'
import type { DeclinedReply, Reply } from '../call/reply.ts'

export function toolResult(reply: Reply, shape: ValueCall['shape']): CallToolResult {
  switch (reply.kind) {
    case 'sold':
      return soldResult(reply, shape)
    case 'unpaid':
      return termsResult(reply.quote.required(reply.code), reply.code, {
        ...receiptMeta(reply),
        'format-checker/serverTime': reply.serverTime,
      })
    case 'declined':
      return declinedResult(reply)
    case 'refused':
      return failedResult(reply.code, reply.index)
  }
}

function soldResult(sale: Sold, shape: ValueCall['shape']): CallToolResult {
  return {
    ...bothWays(shape === 'single' ? sale.verdicts[0] : listResult(sale.verdicts)),
    _meta: {
      'x402/payment-response': sale.settlement,
      ...(sale.replayed && { 'format-checker/replayed': true }),
      ...(sale.rulesetChanged && { 'format-checker/rulesetChanged': true }),
    },
  }
}

/**
 * Terms only if the client may pay again. A wallet that sends its last signature again (`mcpc`) then signs a new one,
 * and a payment that may still settle is never paid twice.
 */
function declinedResult(reply: DeclinedReply): CallToolResult {
  const { code, retryAfterSeconds, quote } = reply
  if (quote !== undefined) {
    const error = `${code}: ${detailOn(code, 'mcp')}`
    return termsResult({ ...quote.required('payment_required'), error }, code, receiptMeta(reply))
  }
  return failedResult(code, undefined, {
    'x402/error': { error: code, retryAfterSeconds },
    ...receiptMeta(reply),
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
function failedResult(code: ErrorCode, index?: number, meta: object = {}): CallToolResult {
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
