/**
 * The SDK's own clients of both protocol versions, discovering the agent by its card and buying a check.
 *
 * `sign` turns the terms into a payload: a wallet where money is real, `fakePayment` where it is not. The
 * clients are otherwise as a stranger would use them.
 */
import { randomUUID } from 'node:crypto'
import { type Message, Role, type Task } from '@a2a-js/sdk'
import {
  ClientFactory,
  ClientFactoryOptions,
  DefaultAgentCardResolver,
  JsonRpcTransportFactory,
} from '@a2a-js/sdk/client'
import type { PaymentRequired } from '@x402/core/types'
import type { Message as LegacyMessage, Task as LegacyTask } from 'a2a-sdk-03'
import {
  DefaultAgentCardResolver as LegacyCardResolver,
  ClientFactory as LegacyClientFactory,
  ClientFactoryOptions as LegacyClientFactoryOptions,
  JsonRpcTransportFactory as LegacyJsonRpcTransportFactory,
} from 'a2a-sdk-03/client'
import { X402_V02 } from './a2a-client.ts'

export type Sign = (required: PaymentRequired) => object | Promise<object>

export interface Bought<T> {
  readonly unpaid: T
  /** The answer to the paying message. */
  readonly completed: T
  /** The same task, asked for afterwards. */
  readonly shown: T
}

/** A client of A2A 1.0 over a given fetch; everything it knows of the agent is in the card. */
export async function client10(url: string, fetchImpl: typeof fetch = fetch) {
  const options = ClientFactoryOptions.createFrom(ClientFactoryOptions.default, {
    transports: [new JsonRpcTransportFactory({ fetchImpl })],
    cardResolver: new DefaultAgentCardResolver({ fetchImpl }),
  })
  return new ClientFactory(options).createFromUrl(url)
}

/** A message of A2A 1.0 with one data part. */
export function message10(data: unknown, change: Partial<Message> = {}): Message {
  return {
    messageId: randomUUID(),
    contextId: '',
    taskId: '',
    role: Role.ROLE_USER,
    parts: [{ content: { $case: 'data', value: data }, metadata: undefined, filename: '', mediaType: '' }],
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
    ...change,
  }
}

/** What the 1.0 client sends. */
export function request10(message: Message) {
  return { tenant: '', message, configuration: undefined, metadata: undefined }
}

/** Buys a check over A2A 1.0 in two messages; the value goes in the first alone. */
export async function buyInBand10(
  url: string,
  data: unknown,
  sign: Sign,
  fetchImpl: typeof fetch = fetch,
): Promise<Bought<Task>> {
  const client = await client10(url, fetchImpl)
  const options = { serviceParameters: { 'A2A-Extensions': X402_V02 } }
  const unpaid = (await client.sendMessage(request10(message10(data)), options)) as Task
  const required = unpaid.status?.message?.metadata?.['x402.payment.required'] as PaymentRequired
  const paying = message10(undefined, {
    taskId: unpaid.id,
    contextId: unpaid.contextId,
    metadata: { 'x402.payment.status': 'payment-submitted', 'x402.payment.payload': await sign(required) },
    parts: [
      {
        content: { $case: 'text', value: 'Here is the payment.' },
        metadata: undefined,
        filename: '',
        mediaType: '',
      },
    ],
  })
  const completed = (await client.sendMessage(request10(paying), options)) as Task
  return { unpaid, completed, shown: await client.getTask({ tenant: '', id: unpaid.id }) }
}

/** A client of A2A 0.3 over a given fetch. */
export function client03(url: string, fetchImpl: typeof fetch = fetch) {
  const options = LegacyClientFactoryOptions.createFrom(LegacyClientFactoryOptions.default, {
    transports: [new LegacyJsonRpcTransportFactory({ fetchImpl })],
    cardResolver: new LegacyCardResolver({ fetchImpl }),
  })
  return new LegacyClientFactory(options).createFromUrl(url)
}

/** A message of A2A 0.3. */
export const message03 = (change: Partial<LegacyMessage>): LegacyMessage => ({
  kind: 'message',
  messageId: randomUUID(),
  role: 'user',
  parts: [],
  ...change,
})

/** Buys a check over A2A 0.3 in two messages. */
export async function buyInBand03(
  url: string,
  data: Record<string, unknown>,
  sign: Sign,
  fetchImpl: typeof fetch = fetch,
): Promise<Bought<LegacyTask>> {
  const client = await client03(url, fetchImpl)
  const options = { serviceParameters: { 'X-A2A-Extensions': X402_V02 } }
  const configuration = { blocking: true }
  const order = message03({ parts: [{ kind: 'data', data }] })
  const unpaid = (await client.sendMessage({ message: order, configuration }, options)) as LegacyTask
  const required = unpaid.status.message?.metadata?.['x402.payment.required'] as PaymentRequired
  const paying = message03({
    taskId: unpaid.id,
    contextId: unpaid.contextId,
    metadata: { 'x402.payment.status': 'payment-submitted', 'x402.payment.payload': await sign(required) },
    parts: [{ kind: 'text', text: 'send_signed_payment_payload' }],
  })
  const completed = (await client.sendMessage({ message: paying, configuration }, options)) as LegacyTask
  return { unpaid, completed, shown: await client.getTask({ id: unpaid.id }) }
}
