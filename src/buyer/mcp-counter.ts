import type { PaymentPayload, PaymentRequired, SettleResponse } from '@x402/core/types'
import type { CheckType, Verdict } from '../checks/verdict.ts'
import { type Answer, type Counter, type Order, refusedOrAgain, UNKNOWN } from './answer.ts'
import { isObject, type Json, member, textOf } from './json.ts'
import { type HttpAnswer, postJson } from './post-json.ts'

/** The newest revision that needs neither a handshake nor headers repeating the body. */
const PROTOCOL = '2025-11-25'

/** Buys a tool call over MCP's Streamable HTTP: the payment travels in `_meta` (x402 version 2, transports-v2/mcp). */
export function openMcpCounter(url: string, type: CheckType): Counter {
  const endpoint = new URL('/mcp', url)
  const call = async (value: string, payload?: PaymentPayload): Promise<Answer> => {
    const params = {
      name: toolOf(type),
      arguments: { value },
      ...(payload && { _meta: { 'x402/payment': payload } }),
    }
    const answer = await postJson(
      endpoint,
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
      { accept: 'application/json, text/event-stream', 'mcp-protocol-version': PROTOCOL },
    )
    return read(answer, (signed) => prepaid(value, signed))
  }
  const prepaid: Counter['prepaid'] = (value, payload) => () => call(value, payload)
  return { ask: (value) => call(value), prepaid }
}

/** The tool of a check type, e.g. "validate_eu_vat"; the published tools say the same, which a test holds. */
export const toolOf = (type: CheckType): string => `validate_${type.replaceAll('-', '_')}`

function read({ status, headers, json }: HttpAnswer, order: Order): Answer {
  const error = member(json, 'error')
  if (status !== 200 || isObject((json as Json | null)?.error)) {
    const [code, detail] = inWords(textOf(error, 'message'))
    return refusedOrAgain({ status, code, detail }, headers.get('Retry-After'))
  }
  const result = member(json, 'result')
  const structured = result.structuredContent
  const settlement = member(result, '_meta')['x402/payment-response']
  if (result.isError !== true && isObject(structured) && isObject(settlement)) {
    const replayed = member(result, '_meta')['format-checker/replayed'] === true
    return {
      kind: 'sold',
      verdict: structured as unknown as Verdict,
      settlement: settlement as unknown as SettleResponse,
      replayed,
    }
  }
  return readRefusal(result, order)
}

/** Terms stand in the structured content; what another payment would not change says so in its text alone. */
function readRefusal(result: Json, order: Order): Answer {
  const required = member(result, 'structuredContent')
  if (Array.isArray(required.accepts)) {
    const [code, detail] = inWords(textOf(required, 'error'), 'payment_required')
    return {
      kind: 'unpaid',
      status: 402,
      code,
      detail,
      required: required as unknown as PaymentRequired,
      order,
    }
  }
  const content = Array.isArray(result.content) ? result.content : []
  const [code, detail] = inWords(textOf(member(content[0]), 'text'))
  const retryAfter = member(result, '_meta', 'x402/error').retryAfterSeconds as number | undefined
  return refusedOrAgain({ status: 200, code, detail }, retryAfter)
}

/** Splits "code: detail"; a text without a code is all detail. */
function inWords(text: string, otherwise = UNKNOWN): readonly [string, string] {
  const [, code, detail] = /^([a-z][a-z_]+): (.*)$/s.exec(text) ?? []
  return [code ?? otherwise, detail ?? text]
}
