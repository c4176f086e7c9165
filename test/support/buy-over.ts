import { decodePaymentRequiredHeader, decodePaymentResponseHeader } from '@x402/core/http'
import type { PaymentPayload, PaymentRequired, SettleResponse } from '@x402/core/types'
import type { Verdict } from 'format-checker-checks/verdict'
import type { Skill } from '../../src/catalog/skill.ts'
import { encodeHeader } from './payment-header.ts'

export interface Bought {
  readonly verdict: Verdict
  readonly settlement: SettleResponse
}

/** The same check over one protocol, as a client that speaks no more of it than it must. */
export interface Counter {
  /** The terms of an unpaid call, and the header they came in, where there is one. */
  ask(skill: Skill, value: string): Promise<{ readonly required: PaymentRequired; readonly header?: string }>
  buy(skill: Skill, value: string, payload: PaymentPayload): Promise<Bought>
}

/** Sends one request; the global `fetch` fits. */
export type Send = (
  url: string,
  init: { readonly method: string; readonly headers: Record<string, string>; readonly body: string },
) => Promise<Response>

/** A client of each surface of a service; `send` is another transport than HTTP/1.1. */
export function countersOf(
  url: string,
  send: Send = fetch,
): Readonly<Record<'rest' | 'a2a' | 'mcp', Counter>> {
  const post: Post = async (path, body, headers = {}) => {
    const response = await send(`${url}${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
    return { response, json: await response.json() }
  }
  return { rest: restCounter(post), a2a: a2aCounter(post), mcp: mcpCounter(post) }
}

type Post = (
  path: string,
  body: unknown,
  headers?: Readonly<Record<string, string>>,
  // biome-ignore lint/suspicious/noExplicitAny: what came over the wire is looked at member by member
) => Promise<{ readonly response: Response; readonly json: any }>

function termsIn(response: Response): { required: PaymentRequired; header: string } {
  const header = response.headers.get('PAYMENT-REQUIRED')
  if (response.status !== 402 || header === null) throw new Error(`no terms, but ${response.status}`)
  return { required: decodePaymentRequiredHeader(header), header }
}

function receiptIn(response: Response): SettleResponse {
  const header = response.headers.get('PAYMENT-RESPONSE')
  if (response.status !== 200 || header === null) throw new Error(`no receipt, but ${response.status}`)
  return decodePaymentResponseHeader(header)
}

function restCounter(post: Post): Counter {
  const call = (skill: Skill, value: string, headers = {}) =>
    post(`/api/validate/${skill.id}`, { value }, headers)
  return {
    ask: async (skill, value) => termsIn((await call(skill, value)).response),
    async buy(skill, value, payload) {
      const { response, json } = await call(skill, value, { 'PAYMENT-SIGNATURE': encodeHeader(payload) })
      return { verdict: json, settlement: receiptIn(response) }
    },
  }
}

function a2aCounter(post: Post): Counter {
  const call = (skill: Skill, value: string, headers = {}) => {
    const data = { skill: skill.id, input: { value } }
    const message = { messageId: 'm-1', role: 'ROLE_USER', parts: [{ data }] }
    return post(
      '/a2a',
      { jsonrpc: '2.0', id: 7, method: 'SendMessage', params: { message } },
      { 'A2A-Version': '1.0', ...headers },
    )
  }
  return {
    ask: async (skill, value) => termsIn((await call(skill, value)).response),
    async buy(skill, value, payload) {
      const { response, json } = await call(skill, value, { 'PAYMENT-SIGNATURE': encodeHeader(payload) })
      return { verdict: json.result.task.artifacts[0].parts[0].data, settlement: receiptIn(response) }
    },
  }
}

function mcpCounter(post: Post): Counter {
  const call = async (skill: Skill, value: string, meta = {}) => {
    const params = { name: skill.operationId, arguments: { value }, _meta: meta }
    const { json } = await post(
      '/mcp',
      { jsonrpc: '2.0', id: 7, method: 'tools/call', params },
      { Accept: 'application/json, text/event-stream', 'MCP-Protocol-Version': '2025-11-25' },
    )
    return json.result
  }
  return {
    ask: async (skill, value) => ({ required: (await call(skill, value)).structuredContent }),
    async buy(skill, value, payload) {
      const result = await call(skill, value, { 'x402/payment': payload })
      return { verdict: result.structuredContent, settlement: result._meta['x402/payment-response'] }
    },
  }
}
