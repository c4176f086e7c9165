/** A paid call of each surface, as bytes. */
import type { PaymentPayload } from '@x402/core/types'
import { CHECK_TYPES } from 'format-checker-checks/verdict'
import { corpusOf } from '../checks/corpus.ts'
import { httpRequest } from './http-request.ts'

export type PaidSurface = 'rest' | 'mcp' | 'a2a' | 'list'

export const IBAN = 'PL61109010140000071219812874'
const JSON_TYPE = { 'Content-Type': 'application/json' }

/** The call without payment, where `payment` is missing. */
export function callOf(surface: PaidSurface, payment?: PaymentPayload): Buffer {
  return CALLS[surface](payment)
}

const header = (payment: PaymentPayload | undefined): Record<string, string> =>
  payment === undefined
    ? {}
    : { 'PAYMENT-SIGNATURE': Buffer.from(JSON.stringify(payment)).toString('base64') }

export const restCall = (path: string, payment?: PaymentPayload): Buffer =>
  httpRequest({
    method: 'POST',
    path,
    headers: { ...JSON_TYPE, ...header(payment) },
    body: JSON.stringify({ value: IBAN }),
  })

const CALLS: Readonly<Record<PaidSurface, (payment?: PaymentPayload) => Buffer>> = {
  rest: (payment) => restCall('/api/validate/iban', payment),
  list: (payment) =>
    httpRequest({
      method: 'POST',
      path: '/api/validate/batch',
      headers: { ...JSON_TYPE, ...header(payment) },
      body: listBody(),
    }),
  mcp: (payment) =>
    httpRequest({
      method: 'POST',
      path: '/mcp',
      headers: {
        ...JSON_TYPE,
        Accept: 'application/json, text/event-stream',
        'MCP-Protocol-Version': '2025-11-25',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 7,
        method: 'tools/call',
        params: {
          name: 'validate_iban',
          arguments: { value: IBAN },
          ...(payment === undefined ? {} : { _meta: { 'x402/payment': payment } }),
        },
      }),
    }),
  a2a: (payment) => a2aMessage({ parts: [A2A_ORDER] }, header(payment)),
}

/** Orders the check as a part of an A2A message. */
export const A2A_ORDER = { data: { skill: 'iban', input: { value: IBAN } } }

/** A message to the A2A endpoint. */
export function a2aMessage(message: object, headers: Record<string, string>): Buffer {
  return httpRequest({
    method: 'POST',
    path: '/a2a',
    headers: { ...JSON_TYPE, 'A2A-Version': '1.0', ...headers },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 7,
      method: 'SendMessage',
      params: { message: { messageId: 'm-1', role: 'ROLE_USER', ...message } },
    }),
  })
}

/** Values of a list, as many of each type. */
export const LIST_VALUES = 1_000

const made: { body?: string } = {}

function listBody(): string {
  made.body ??= JSON.stringify({ items: listItems() })
  return made.body
}

function listItems() {
  const corpora = CHECK_TYPES.map((type) => ({ type, values: corpusOf(type) }))
  return Array.from({ length: LIST_VALUES }, (_, index) => {
    const { type, values } = corpora[index % corpora.length]!
    return { type, value: values[index] }
  })
}
