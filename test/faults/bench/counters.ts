import { randomUUID } from 'node:crypto'
import type { PaymentPayload } from '@x402/core/types'
import type { CheckType, Verdict } from 'format-checker-checks/verdict'
import { encodeHeader } from '../../support/payment-header.ts'
import { IN_BAND, order, sendRequest, stateOf, taskOf, verdictOf } from '../../surfaces/a2a/a2a-client.ts'

/** What one request for a sale came to, in whatever protocol. */
export type Outcome =
  | { readonly kind: 'verdict'; readonly verdict: Verdict }
  /** To be repeated unchanged. */
  | { readonly kind: 'later'; readonly what: string }
  | { readonly kind: 'refused'; readonly what: string }

export interface Purchase {
  readonly type: CheckType
  readonly value: string
  readonly payload: PaymentPayload
}

export type Counter = (url: string, purchase: Purchase) => Promise<Outcome>

const LATER_CODES = [
  'payment_in_doubt',
  'facilitator_unavailable',
  'chain_unavailable',
  'clock_wrong',
  'sales_paused',
  'store_unavailable',
  'too_many_requests',
  'shutting_down',
]

/** One way to buy for each protocol, and both ways of A2A. */
export const COUNTERS: Readonly<Record<string, Counter>> = {
  rest: (url, { type, value, payload }) =>
    exchange(
      `${url}/api/validate/${type}`,
      { value },
      { 'PAYMENT-SIGNATURE': encodeHeader(payload) },
      (status, body) =>
        status === 200 ? { kind: 'verdict', verdict: body as Verdict } : judged(status, String(body?.code)),
    ),
  'a2a by header': (url, { type, value, payload }) =>
    exchange(
      `${url}/a2a`,
      sendRequest('1.0', { parts: [order(type, value)], messageId: randomUUID() }),
      { 'A2A-Version': '1.0', 'PAYMENT-SIGNATURE': encodeHeader(payload) },
      (status, body) =>
        status === 200 && taskOf(body) !== undefined
          ? { kind: 'verdict', verdict: verdictOf(taskOf(body)) }
          : judged(status, JSON.stringify(body?.error)),
    ),
  'a2a in band': (url, { type, value, payload }) =>
    exchange(
      `${url}/a2a`,
      sendRequest('1.0', {
        parts: [order(type, value)],
        metadata: { 'x402.payment.status': 'payment-submitted', 'x402.payment.payload': payload },
      }),
      { 'A2A-Version': '1.0', ...IN_BAND },
      (status, body) => inBand(status, body),
    ),
  mcp: (url, { type, value, payload }) =>
    exchange(
      `${url}/mcp`,
      {
        jsonrpc: '2.0',
        id: 7,
        method: 'tools/call',
        params: { name: toolOf(type), arguments: { value }, _meta: { 'x402/payment': payload } },
      },
      { Accept: 'application/json, text/event-stream', 'MCP-Protocol-Version': '2025-11-25' },
      (status, body) => {
        const result = body?.result
        if (status === 200 && result?._meta?.['x402/payment-response']?.success === true && !result.isError) {
          return { kind: 'verdict', verdict: result.structuredContent }
        }
        return judged(status === 200 ? 402 : status, JSON.stringify(result?._meta?.['x402/error'] ?? body))
      },
    ),
}

const toolOf = (type: CheckType): string => `validate_${type.replaceAll('-', '_')}`

/** A paying message's answer: the state its task has reached. */
// biome-ignore lint/suspicious/noExplicitAny: what came over the wire is looked at member by member
export function inBand(status: number, body: any): Outcome {
  const task = body === undefined ? undefined : taskOf(body)
  if (status !== 200 || task === undefined) return judged(status, JSON.stringify(body?.error))
  const state = stateOf(task)
  if (state === 'COMPLETED') return { kind: 'verdict', verdict: verdictOf(task) }
  return state === 'FAILED'
    ? { kind: 'refused', what: JSON.stringify(task.status.message?.metadata) }
    : { kind: 'later', what: state }
}

function judged(status: number, what: string): Outcome {
  const later = [429, 502, 503].includes(status) || LATER_CODES.some((code) => what.includes(code))
  return { kind: later ? 'later' : 'refused', what: `${status} ${what}` }
}

async function exchange(
  url: string,
  body: unknown,
  headers: Readonly<Record<string, string>>,
  // biome-ignore lint/suspicious/noExplicitAny: what came over the wire is looked at member by member
  judge: (status: number, body: any) => Outcome,
): Promise<Outcome> {
  let status: number
  let text: string
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    status = response.status
    text = await response.text()
  } catch {
    return { kind: 'later', what: 'no answer' }
  }
  return judge(status, text === '' ? undefined : JSON.parse(text))
}
