/** Purchases over A2A in band: a message without payment, and another that pays for the task of its answer. */
import type { PaymentPayload, PaymentRequired } from '@x402/core/types'
import { httpRequest } from './http-request.ts'
import { IBAN } from './paid-request.ts'
import { buyersOf, paymentSigner } from './sign-payments.ts'

/** Requests of one purchase. */
export const MESSAGES = 2

const HEADERS = {
  'Content-Type': 'application/json',
  'A2A-Version': '1.0',
  'X-A2A-Extensions': 'https://github.com/google-agentic-commerce/a2a-x402/blob/main/spec/v0.2',
}
const FIRST = sendMessage({ parts: [{ data: { skill: 'iban', input: { value: IBAN } } }] })
const TASK = /"task":\{"id":"([0-9a-f-]{36})","contextId":"([^"]+)"/

/** Each connection sends a first message, then the payment for its task, and so on. */
export function inBandRequests(options: {
  readonly required: PaymentRequired
  readonly payers: number
  readonly count: number
}): (connection: number, response?: Buffer) => Buffer | undefined {
  const buyers = buyersOf(options.payers)
  const sign = paymentSigner(options.required)
  const payments = Array.from({ length: options.count }, (_, index) => sign(buyers[index % buyers.length]!))
  const asked = new Set<number>()
  return (connection, response) => {
    if (!asked.delete(connection)) {
      if (payments.length === 0) return undefined
      asked.add(connection)
      return FIRST
    }
    const payment = payments.pop()
    return payment === undefined ? undefined : paying(response?.toString() ?? '', payment)
  }
}

function paying(answer: string, payment: PaymentPayload): Buffer {
  const [, taskId, contextId] = TASK.exec(answer) ?? []
  if (taskId === undefined) throw new Error('no task to pay for')
  return sendMessage({
    ...{ parts: [{ text: 'the payment' }], taskId, contextId },
    metadata: { 'x402.payment.status': 'payment-submitted', 'x402.payment.payload': payment },
  })
}

function sendMessage(message: object): Buffer {
  return httpRequest({
    ...{ method: 'POST', path: '/a2a', headers: HEADERS },
    body: JSON.stringify({
      ...{ jsonrpc: '2.0', id: 7, method: 'SendMessage' },
      params: { message: { messageId: 'm-1', role: 'ROLE_USER', ...message } },
    }),
  })
}
