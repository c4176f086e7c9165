import { CHECK_TYPES } from 'format-checker-checks/verdict'
import { anyValue, bodyOf, head, type Maker, payment, strangePath } from './drafts.ts'
import { CANARY, hostileText } from './hostile-values.ts'
import type { Draft } from './write-request.ts'

const X402 = 'https://github.com/google-a2a/a2a-x402/v0.1'

export function a2aDraft(maker: Maker): Draft {
  const { random, host, purse } = maker
  const legacy = random.int(2) === 0
  const rest = random.int(4)
  const params =
    rest === 0 ? { id: random.pick(purse.tasks) ?? 'none' } : { message: messageOf(maker, legacy) }
  const method =
    rest === 0 ? random.pick(A2A_TASK_METHODS[legacy ? 1 : 0]) : legacy ? 'message/send' : 'SendMessage'
  const document = { jsonrpc: '2.0', id: random.int(1000), method, params }
  // Every order in band leaves a task in the store, of which there is room for ten thousand.
  const inBand: [string, string][] = random.int(40) === 0 ? [['A2A-Extensions', X402]] : []
  const version: [string, string][] = random.int(8) === 0 ? [] : [['A2A-Version', legacy ? '0.3' : '1.0']]
  const headers = [...head(random), ...version, ...inBand, ...payment(maker)]
  const path = random.int(20) === 0 ? strangePath(random, '/a2a') : '/a2a'
  return { kind: 'A2A', method: 'POST', path, host, headers, body: bodyOf(document, random), surface: 'a2a' }
}

const A2A_TASK_METHODS = [
  ['GetTask', 'CancelTask', 'ListTasks', 'SubscribeToTask', 'SendStreamingMessage', CANARY],
  [
    'tasks/get',
    'tasks/cancel',
    'tasks/resubscribe',
    'message/stream',
    'tasks/pushNotificationConfig/set',
    CANARY,
  ],
] as const

function messageOf(maker: Maker, legacy: boolean): object {
  const { random, purse } = maker
  const kind = (name: string) => (legacy ? { kind: name } : {})
  const value = anyValue(maker)
  const data = { ...kind('data'), data: { skill: random.pick(CHECK_TYPES), input: { value } } }
  const text = {
    ...kind('text'),
    text: random.int(2) === 0 ? `iban ${JSON.stringify(value)}` : hostileText(random),
  }
  const submitted = {
    'x402.payment.status': 'payment-submitted',
    'x402.payment.payload': purse.payload(random),
  }
  return {
    ...kind('message'),
    messageId: `m-${random.int(1000)}`,
    role: legacy ? 'user' : 'ROLE_USER',
    parts: [random.int(3) === 0 ? text : data],
    ...(random.int(5) === 0 ? { metadata: submitted } : {}),
    ...(random.int(12) === 0 ? { taskId: random.pick(purse.tasks) } : {}),
    ...(random.int(12) === 0 ? { contextId: 'context-1' } : {}),
  }
}
