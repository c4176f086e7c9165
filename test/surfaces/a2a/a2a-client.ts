/** Requests as clients of the two protocol versions put them on the wire, and a reading of the answers in either. */
import { randomUUID } from 'node:crypto'
import type { PaymentRequired } from '@x402/core/types'
import { fakePayment } from '../../support/a2a-double.ts'

// biome-ignore lint/suspicious/noExplicitAny: what came over the wire is looked at member by member
export type Json = any

export const VERSIONS = ['1.0', '0.3'] as const
export type Version = (typeof VERSIONS)[number]

export const X402_V01 = 'https://github.com/google-a2a/a2a-x402/v0.1'
export const X402_V02 = 'https://github.com/google-agentic-commerce/a2a-x402/blob/main/spec/v0.2'

/** Headers of a client that pays in band. */
export const IN_BAND = { 'X-A2A-Extensions': X402_V02 }

export type SimplePart = { readonly text: string } | { readonly data: unknown }

export interface SimpleMessage {
  readonly parts?: readonly SimplePart[]
  readonly metadata?: object
  readonly taskId?: string
  readonly contextId?: string
  readonly messageId?: string
  readonly historyLength?: number
  readonly id?: string | number | null
}

const METHODS = {
  '1.0': { send: 'SendMessage', get: 'GetTask', cancel: 'CancelTask' },
  '0.3': { send: 'message/send', get: 'tasks/get', cancel: 'tasks/cancel' },
} as const

/** A data part that orders a check. */
export const order = (skill: string, value: unknown) => ({ data: { skill, input: { value } } })

/** A request that sends a message. */
export function sendRequest(version: Version, message: SimpleMessage) {
  const { parts = [], metadata, taskId, contextId, messageId = randomUUID(), historyLength, id = 1 } = message
  const legacy = version === '0.3'
  return {
    jsonrpc: '2.0',
    id,
    method: METHODS[version].send,
    params: {
      message: {
        ...(legacy ? { kind: 'message' } : {}),
        messageId,
        role: legacy ? 'user' : 'ROLE_USER',
        parts: parts.map((part) => (legacy ? { kind: 'text' in part ? 'text' : 'data', ...part } : part)),
        ...(metadata === undefined ? {} : { metadata }),
        ...(taskId === undefined ? {} : { taskId }),
        ...(contextId === undefined ? {} : { contextId }),
      },
      ...(historyLength === undefined ? {} : { configuration: { historyLength, blocking: true } }),
    },
  }
}

/** A request that names a task. */
export function taskRequest(
  version: Version,
  operation: 'get' | 'cancel',
  taskId: string,
  historyLength?: number,
) {
  const params = { id: taskId, ...(historyLength === undefined ? {} : { historyLength }) }
  return { jsonrpc: '2.0', id: 1, method: METHODS[version][operation], params }
}

/** The task of an answer in either version. */
export function taskOf(json: Json): Json {
  const { result } = json
  return result?.task ?? (result?.status === undefined ? undefined : result)
}

/** The message of an answer in either version. */
export function messageOf(json: Json): Json {
  const { result } = json
  return result?.message ?? (result?.parts === undefined ? undefined : result)
}

/** A task's state in the words of 1.0 without its prefix, e.g. "INPUT_REQUIRED". */
export function stateOf(task: Json): string {
  return String(task.status.state).replace('TASK_STATE_', '').replace('-', '_').toUpperCase()
}

/** The x402 members of a task's status. */
export function paymentOf(task: Json): Json {
  return task.status.message.metadata
}

/** The verdict in a completed task. */
export function verdictOf(task: Json): Json {
  return task.artifacts[0].parts.find((part: Json) => part.data !== undefined).data
}

/** Metadata of a message that pays by a made-up payment for what a task asks. */
export const paying = (required: PaymentRequired): object => payingWith(fakePayment(required))

/** Metadata of a message that brings a payment. */
export const payingWith = (payload: object | string): object => ({
  'x402.payment.status': 'payment-submitted',
  'x402.payment.payload': payload,
})

/** A request that pays for a task in band, and says nothing of what was ordered. */
export const payRequest = (version: Version, taskId: string, payload: object | string) =>
  sendRequest(version, { taskId, parts: [{ text: 'paid' }], metadata: payingWith(payload) })

/** A payload as the PAYMENT-SIGNATURE header carries it. */
export function asHeader(payload: object): Record<string, string> {
  return { 'PAYMENT-SIGNATURE': Buffer.from(JSON.stringify(payload)).toString('base64') }
}
