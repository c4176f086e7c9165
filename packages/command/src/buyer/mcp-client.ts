import type { PaymentPayload, PaymentRequired } from '@x402/core/types'
import type { CheckType } from 'format-checker-checks/verdict'
import { isObject, type JsonObject } from '../../../../src/values/json.ts'
import type { ServiceClock } from './clocks.ts'
import { member, textOf } from './json.ts'
import { type HttpReply, postJson } from './post-json.ts'
import { settlementOf, verdictOf } from './read-answer.ts'
import { type CheckClient, type Reply, refusedOrRetry, UNKNOWN } from './reply.ts'

/** The newest revision of MCP whose requests need neither a handshake nor headers that repeat the body. */
const PROTOCOL = '2025-11-25'

/** Over Streamable HTTP; the payment travels in `_meta` (x402 version 2, transports-v2/mcp). */
export function openMcpClient(url: string, type: CheckType): CheckClient {
  const endpoint = new URL('/mcp', url)
  const call = async (value: string, payload?: PaymentPayload): Promise<Reply> => {
    const params = {
      name: toolOf(type),
      arguments: { value },
      ...(payload && { _meta: { 'x402/payment': payload } }),
    }
    const reply = await postJson(
      endpoint,
      { jsonrpc: '2.0', id: 1, method: 'tools/call', params },
      { accept: 'application/json, text/event-stream', 'mcp-protocol-version': PROTOCOL },
    )
    return read(reply)
  }
  return { ask: (value) => call(value), prepaid: (value, payload) => () => call(value, payload) }
}

/** For example "validate_eu_vat"; packages/command/test/buyer/mcp-client.test.ts compares it with the published tools. */
export const toolOf = (type: CheckType): string => `validate_${type.replaceAll('-', '_')}`

function read({ status, headers, clock, json }: HttpReply): Reply {
  const { error } = member(json)
  if (status !== 200 || isObject(error)) {
    const [code, detail] = splitCode(textOf(member(error), 'message'))
    return refusedOrRetry({ status, code, detail }, headers.get('Retry-After'))
  }
  const result = member(json, 'result')
  const meta = member(result, '_meta')
  const { structuredContent } = result
  const settlement = meta['x402/payment-response']
  if (result.isError !== true && isObject(structuredContent) && isObject(settlement)) {
    return {
      kind: 'sold',
      result: verdictOf(structuredContent),
      settlement: settlementOf(settlement),
      replayed: meta['format-checker/replayed'] === true,
    }
  }
  return readRefusal(result, clock)
}

/** Terms are in the structured content; a refusal that no other payment would change is text only. */
function readRefusal(result: JsonObject, clock: ServiceClock | undefined): Reply {
  const required = member(result, 'structuredContent')
  if (Array.isArray(required.accepts)) {
    const [first, detail] = splitCode(textOf(required, 'error'))
    const code = textOf(member(result, '_meta', 'format-checker/error'), 'code', first)
    return {
      kind: 'unpaid',
      status: 402,
      code,
      detail,
      required: required as unknown as PaymentRequired,
      clock,
    }
  }
  const content = Array.isArray(result.content) ? result.content : []
  const [code, detail] = splitCode(textOf(member(content[0]), 'text'))
  const retryAfter = member(result, '_meta', 'x402/error').retryAfterSeconds as number | undefined
  return refusedOrRetry({ status: 200, code, detail }, retryAfter)
}

/** Splits "code: detail"; a text without a code is all detail. */
function splitCode(text: string): readonly [string, string] {
  const [, code, detail] = /^([a-z][a-z_]+): (.*)$/s.exec(text) ?? []
  return [code ?? UNKNOWN, detail ?? text]
}
