import { type Message, Role, type Task, TaskState } from '@a2a-js/sdk'
import {
  type Client,
  ClientFactory,
  ClientFactoryOptions,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
} from '@a2a-js/sdk/client'
import type { PaymentPayload, PaymentRequired } from '@x402/core/types'
import type { CheckType } from 'format-checker-checks/verdict'
import { v4 as newId } from 'uuid'
import { isObject, type JsonObject } from '../../../../src/values/json.ts'
import { member, textOf } from './json.ts'
import type { HttpReply } from './post-json.ts'
import { settlementOf, verdictOf } from './read-answer.ts'
import { createRecordingFetch, rpcRefusal } from './recording-fetch.ts'
import { type CheckClient, type Reply, refusedOrRetry, type Send, UNKNOWN } from './reply.ts'

const X402 = 'https://github.com/google-agentic-commerce/a2a-x402/blob/main/spec/v0.2'

/** Finds the agent by its card; the payment travels in a message. */
export async function openA2aClient(url: string, type: CheckType): Promise<CheckClient> {
  const http = createRecordingFetch(url)
  const agent = await discover(url, http.fetch)
  const orderOf = (value: string) => ({ skill: type, input: { value } })

  const send = async (message: Message, isPaying: boolean): Promise<Reply> => {
    try {
      const request = { tenant: '', message, configuration: undefined, metadata: undefined }
      const serviceParameters = { 'A2A-Extensions': X402 }
      const task = (await agent.sendMessage(request, { serviceParameters })) as Task
      const reply = replyOf(task, isPaying, http.last())
      return reply.kind === 'unpaid' ? { ...reply, pay: (payload) => sendPaid({ task }, payload) } : reply
    } catch (error) {
      const refusal = rpcRefusal(http.last())
      if (refusal === undefined) throw error
      return refusedOrRetry(refusal, http.last()?.headers.get('Retry-After'))
    }
  }
  const sendPaid = (content: MessageContent, payload: PaymentPayload): Send => {
    const message = messageOf(content, {
      'x402.payment.status': 'payment-submitted',
      'x402.payment.payload': payload,
    })
    return () => send(message, true)
  }
  return {
    ask: (value) => send(messageOf({ data: orderOf(value) }), false),
    prepaid: (value, payload) => sendPaid({ data: orderOf(value) }, payload),
  }
}

async function discover(url: string, fetchImpl: typeof fetch): Promise<Client> {
  const options = ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
    transports: [new JsonRpcTransportFactory({ fetchImpl })],
    cardResolver: new DefaultAgentCardResolver({ fetchImpl }),
  })
  return new ClientFactory(options).createFromUrl(url)
}

interface MessageContent {
  /** The order; absent if the message pays for a task. */
  readonly data?: unknown
  readonly task?: Task
}

function messageOf({ data, task }: MessageContent, metadata?: Record<string, unknown>): Message {
  const content =
    data === undefined
      ? ({ $case: 'text', value: 'Payment of this task.' } as const)
      : ({ $case: 'data', value: data } as const)
  return {
    messageId: newId(),
    contextId: task?.contextId ?? '',
    taskId: task?.id ?? '',
    role: Role.ROLE_USER,
    parts: [{ content, metadata: undefined, filename: '', mediaType: '' }],
    metadata,
    extensions: [X402],
    referenceTaskIds: [],
  }
}

function replyOf(task: Task, isPaying: boolean, http: HttpReply | undefined): Reply {
  const retryAfter = http?.headers.get('Retry-After')
  const metadata = (task.status?.message?.metadata ?? {}) as JsonObject
  const detail = textIn(task.status?.message)
  const code = textOf(member(metadata, 'format-checker/error'), 'code', UNKNOWN)
  const receipts = metadata['x402.payment.receipts']
  const receipt = Array.isArray(receipts) ? receipts[0] : undefined
  switch (task.status?.state) {
    case TaskState.TASK_STATE_COMPLETED: {
      const [part] = task.artifacts[0]?.parts ?? []
      if (part?.content?.$case !== 'data' || !isObject(receipt)) break
      return {
        kind: 'sold',
        result: verdictOf(part.content.value),
        settlement: settlementOf(receipt),
        replayed: metadata['x402.payment.replayed'] === true,
      }
    }
    case TaskState.TASK_STATE_INPUT_REQUIRED: {
      // After a payment, the same state says that it was not sent on, or that its outcome is open.
      if (isPaying) return refusedOrRetry({ status: 503, code, detail }, retryAfter)
      const required = metadata['x402.payment.required'] as PaymentRequired | undefined
      if (required === undefined) break
      return { kind: 'unpaid', status: 402, code: 'payment_required', detail, required, clock: http?.clock }
    }
    case TaskState.TASK_STATE_WORKING:
      return refusedOrRetry({ status: 503, code: 'payment_in_doubt', detail }, retryAfter)
    case TaskState.TASK_STATE_FAILED: {
      const named = code === UNKNOWN ? textOf(metadata, 'x402.payment.error', UNKNOWN) : code
      return { kind: 'refused', status: 402, code: named, detail }
    }
  }
  return refusedOrRetry({ status: 200, code: UNKNOWN, detail }, retryAfter)
}

function textIn(message: Message | undefined): string {
  const content = message?.parts[0]?.content
  return content?.$case === 'text' ? content.value : ''
}
