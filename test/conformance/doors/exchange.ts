/** One request and its answer on each surface, spelt out as a client of another language would write it. */
import assert from 'node:assert/strict'
import type { PaymentRequired } from '@x402/core/types'
import { signPayment } from '../sign-payment.ts'
import type { Target } from '../target.ts'

// biome-ignore lint/suspicious/noExplicitAny: what came over the wire is looked at member by member
export type Json = any

export interface Answer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly json: Json
}

export type Fields = Readonly<Record<string, string>>

export const VALUE = 'PL61109010140000071219812874'
export const IN_BAND = {
  'A2A-Extensions': 'https://github.com/google-agentic-commerce/a2a-x402/blob/main/spec/v0.2',
}
export const MCP_ERAS = ['2025-11-25', '2026-07-28'] as const
const [, MODERN] = MCP_ERAS

export async function post(
  { origin, fields }: Target,
  path: string,
  body: unknown,
  headers: Fields = {},
): Promise<Answer> {
  const answer = await fetch(`${origin}${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...fields, ...headers },
    body: JSON.stringify(body),
  })
  const text = await answer.text()
  const json = text === '' ? null : JSON.parse(text)
  return { status: answer.status, headers: answer.headers, text, json }
}

/** A message to `/mcp` in a revision, with what the later era wants beside it. */
export function mcp(
  target: Target,
  version: string,
  method: string,
  params?: object | null,
): Promise<Answer> {
  if (version !== MODERN)
    return post(
      target,
      '/mcp',
      { jsonrpc: '2.0', id: 1, method, params },
      { 'MCP-Protocol-Version': version },
    )
  const { name, uri, _meta, ...others } = (params ?? {}) as Record<string, unknown>
  const named = name ?? uri
  const meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientCapabilities': {},
    'io.modelcontextprotocol/clientInfo': { name: 'doors', version: '1' },
    ...(_meta as object | undefined),
  }
  const whole = {
    ...others,
    ...(name !== undefined && { name }),
    ...(uri !== undefined && { uri }),
    _meta: meta,
  }
  return post(
    target,
    '/mcp',
    { jsonrpc: '2.0', id: 1, method, params: whole },
    {
      'MCP-Protocol-Version': version,
      'Mcp-Method': method,
      ...(typeof named === 'string' && { 'Mcp-Name': named }),
    },
  )
}

/** A message to `/a2a` in version 1.0. */
export const a2a = (target: Target, method: string, params: object, headers: Fields = {}): Promise<Answer> =>
  post(target, '/a2a', { jsonrpc: '2.0', id: 1, method, params }, { 'A2A-Version': '1.0', ...headers })

export const a2aMessage = (target: Target, message: object, headers: Fields = {}): Promise<Answer> =>
  a2a(target, 'SendMessage', { message: { messageId: 'm-1', role: 'ROLE_USER', ...message } }, headers)

export const orderOf = (value: string = VALUE) => ({
  parts: [{ data: { skill: 'iban', input: { value } } }],
})

export type Payload = Record<string, Json>

/** A new payment by the target's buyer for one check, as its payload. */
export async function newPayment(target: Target): Promise<Payload> {
  const { headers } = await post(target, '/api/validate/iban', { value: VALUE })
  const required = Buffer.from(headers.get('PAYMENT-REQUIRED') ?? '', 'base64').toString()
  return payFor(target, JSON.parse(required))
}

export const payFor = async ({ privateKey }: Target, required: PaymentRequired): Promise<Payload> =>
  JSON.parse(Buffer.from(await signPayment(required, privateKey), 'base64').toString())

export const encoded = (payload: Payload): string => Buffer.from(JSON.stringify(payload)).toString('base64')

export const inMetadata = (payload: Payload) => ({
  'x402.payment.status': 'payment-submitted',
  'x402.payment.payload': payload,
})

/** How one sale came out, whatever the surface. */
export interface Bought {
  readonly valid: boolean
  readonly replayed: boolean
  readonly transaction: string
}

/** Pays for one check with a payload; throws unless the answer is a verdict with a receipt. */
export type Buy = (target: Target, payload: Payload) => Promise<Bought>

const receiptOf = ({ headers }: Answer): Json =>
  JSON.parse(Buffer.from(headers.get('PAYMENT-RESPONSE') ?? '', 'base64').toString())

export const BUYERS: Readonly<Record<string, Buy>> = {
  async REST(target, payload) {
    const answer = await post(
      target,
      '/api/validate/iban',
      { value: VALUE },
      { 'PAYMENT-SIGNATURE': encoded(payload) },
    )
    assert.equal(answer.status, 200, JSON.stringify(answer.json))
    return {
      valid: answer.json.valid,
      replayed: answer.headers.get('Payment-Replayed') === 'true',
      transaction: receiptOf(answer).transaction,
    }
  },
  async A2A(target, payload) {
    const answer = await a2aMessage(target, orderOf(), { 'PAYMENT-SIGNATURE': encoded(payload) })
    assert.equal(answer.status, 200, JSON.stringify(answer.json))
    return {
      valid: answer.json.result.task.artifacts[0].parts[0].data.valid,
      replayed: answer.headers.get('Payment-Replayed') === 'true',
      transaction: receiptOf(answer).transaction,
    }
  },
  async 'A2A in band'(target, payload) {
    const { json } = await a2aMessage(target, { ...orderOf(), metadata: inMetadata(payload) }, IN_BAND)
    const { artifacts, status } = json.result.task
    const { metadata } = status.message
    assert.equal(metadata['x402.payment.status'], 'payment-completed', JSON.stringify(json))
    return {
      valid: artifacts[0].parts[0].data.valid,
      replayed: metadata['x402.payment.replayed'] === true,
      transaction: metadata['x402.payment.receipts'][0].transaction,
    }
  },
  async MCP(target, payload) {
    const { json } = await mcp(target, '2025-11-25', 'tools/call', {
      name: 'validate_iban',
      arguments: { value: VALUE },
      _meta: { 'x402/payment': payload },
    })
    const { structuredContent, _meta } = json.result
    assert.ok(structuredContent?.type, JSON.stringify(json))
    return {
      valid: structuredContent.valid,
      replayed: _meta['format-checker/replayed'] === true,
      transaction: _meta['x402/payment-response'].transaction,
    }
  },
}
