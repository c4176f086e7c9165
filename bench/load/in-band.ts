/** Purchases over A2A in band: a message without payment, and another that pays for the task of its answer. */
import type { PaymentPayload, PaymentRequired } from '@x402/core/types'
import { A2A_ORDER, a2aMessage } from './paid-request.ts'
import { buyersOf, paymentSigner } from './sign-payments.ts'

/** Requests of one purchase. */
export const MESSAGES = 2

const IN_BAND = {
  'X-A2A-Extensions': 'https://github.com/google-agentic-commerce/a2a-x402/blob/main/spec/v0.2',
}
const FIRST = a2aMessage({ parts: [A2A_ORDER] }, IN_BAND)
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
  const metadata = {
    'x402.payment.status': 'payment-submitted',
    'x402.payment.payload': payment,
  }
  return a2aMessage({ parts: [{ text: 'the payment' }], taskId, contextId, metadata }, IN_BAND)
}
