import { randomUUID } from 'node:crypto'
import { type Message, Role, type Task, TaskState } from '@a2a-js/sdk'
import {
  type Client,
  ClientFactory,
  ClientFactoryOptions,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
} from '@a2a-js/sdk/client'
import type { PaymentPayload, PaymentRequired, SettleResponse } from '@x402/core/types'
import type { CheckType, Verdict } from '../checks/verdict.ts'
import { type Answer, type Counter, type Order, refusedOrAgain, UNKNOWN } from './answer.ts'
import { type HeardFetch, hearFetch, refusalHeard } from './heard-fetch.ts'
import { isObject, type Json, textOf } from './json.ts'

/** The x402 extension for A2A, specification 0.2: payment travels in the messages. */
const X402 = 'https://github.com/google-agentic-commerce/a2a-x402/blob/main/spec/v0.2'

/** Buys from the agent, found by its card, with the SDK's own client and the payment in band. */
export async function openA2aCounter(url: string, type: CheckType): Promise<Counter> {
  const heard = hearFetch()
  const agent = await discover(url, heard.fetch)
  const orderOf = (value: string) => ({ skill: type, input: { value } })

  const say = async (message: Message, isPaying: boolean): Promise<Answer> => {
    try {
      const request = { tenant: '', message, configuration: undefined, metadata: undefined }
      const answer = await agent.sendMessage(request, { serviceParameters: { 'A2A-Extensions': X402 } })
      return readTask(answer as Task, { isPaying, retryAfter: heard.last()?.headers.get('Retry-After') })
    } catch (error) {
      const refusal = refusalHeard(heard.last())
      if (refusal === undefined) throw error
      return refusedOrAgain(refusal, heard.last()?.headers.get('Retry-After'))
    }
  }
  return {
    ask: (value) => say(messageOf({ data: orderOf(value) }), false),
    prepaid(value, payload) {
      const message = messageOf({ data: orderOf(value), metadata: submitted(payload) })
      return () => say(message, true)
    },
  }

  function readTask(task: Task, how: { isPaying: boolean; retryAfter: string | null | undefined }): Answer {
    const pay: Order = (payload) => {
      const message = messageOf({ task, metadata: submitted(payload) })
      return () => say(message, true)
    }
    return answerOf(task, pay, how)
  }
}

async function discover(url: string, fetchImpl: HeardFetch['fetch']): Promise<Client> {
  const options = ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
    transports: [new JsonRpcTransportFactory({ fetchImpl })],
    cardResolver: new DefaultAgentCardResolver({ fetchImpl }),
  })
  return new ClientFactory(options).createFromUrl(url)
}

interface MessageFacts {
  /** The order; a message that pays for a task brings none. */
  readonly data?: unknown
  readonly task?: Task
  readonly metadata?: Record<string, unknown>
}

function messageOf({ data, task, metadata }: MessageFacts): Message {
  const content =
    data === undefined
      ? ({ $case: 'text', value: 'Payment of this task.' } as const)
      : ({ $case: 'data', value: data } as const)
  return {
    messageId: randomUUID(),
    contextId: task?.contextId ?? '',
    taskId: task?.id ?? '',
    role: Role.ROLE_USER,
    parts: [{ content, metadata: undefined, filename: '', mediaType: '' }],
    metadata,
    extensions: [X402],
    referenceTaskIds: [],
  }
}

const submitted = (payload: PaymentPayload) => ({
  'x402.payment.status': 'payment-submitted',
  'x402.payment.payload': payload,
})

function answerOf(
  task: Task,
  order: Order,
  { isPaying, retryAfter }: { isPaying: boolean; retryAfter: string | null | undefined },
): Answer {
  const metadata = (task.status?.message?.metadata ?? {}) as Json
  const detail = textIn(task.status?.message)
  const receipts = metadata['x402.payment.receipts']
  const receipt = Array.isArray(receipts) ? receipts[0] : undefined
  switch (task.status?.state) {
    case TaskState.TASK_STATE_COMPLETED: {
      const [part] = task.artifacts[0]?.parts ?? []
      if (part?.content?.$case !== 'data' || !isObject(receipt)) break
      const replayed = metadata['x402.payment.replayed'] === true
      const verdict = part.content.value as Verdict
      return { kind: 'sold', verdict, settlement: receipt as unknown as SettleResponse, replayed }
    }
    case TaskState.TASK_STATE_INPUT_REQUIRED: {
      // Asked for a payment it has just been sent: it could not hand it on, and says that nothing was charged.
      if (isPaying)
        return refusedOrAgain({ status: 503, code: 'facilitator_unavailable', detail }, retryAfter)
      const required = metadata['x402.payment.required'] as PaymentRequired | undefined
      if (required === undefined) break
      return { kind: 'unpaid', status: 402, code: 'payment_required', detail, required, order }
    }
    case TaskState.TASK_STATE_WORKING:
      return refusedOrAgain({ status: 503, code: 'payment_in_doubt', detail }, retryAfter)
    case TaskState.TASK_STATE_FAILED: {
      const code = textOf(metadata, 'x402.payment.error', 'payment_failed')
      return { kind: 'refused', status: 402, code, detail }
    }
  }
  return refusedOrAgain({ status: 200, code: UNKNOWN, detail }, retryAfter)
}

function textIn(message: Message | undefined): string {
  const content = message?.parts[0]?.content
  return content?.$case === 'text' ? content.value : ''
}
