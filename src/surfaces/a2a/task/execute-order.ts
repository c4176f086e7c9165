/**
 * Turns an order into a task.
 *
 * An order with a payment header is answered as on REST. A client that knows payment in messages pays in this one, or
 * gets a task to pay for. Any other gets an HTTP 402 with the terms.
 */
import { type ErrorCode, isNotNow } from '../../../errors.ts'
import type { RawPayment, Sale } from '../../../payments/ports/sale.ts'
import { answerInBand, answerOverHttp, declinedFault } from '../reply/answer-sale.ts'
import { fault, type Outcome } from '../reply/outcome.ts'
import { invalidParams } from '../reply/rpc-error.ts'
import { callOf, type Order, quoteOf, storedCallOf } from './order.ts'
import { requirePayment } from './require-payment.ts'
import { showOrder } from './show-order.ts'
import type { TaskContext } from './task-context.ts'

/** Values of a list that is stored as a task; a longer one is answered but not stored. */
const MOST_STORED_VALUES = 100

const TOO_LONG_IN_BAND = fault(
  invalidParams(
    'message.parts',
    `may have at most ${MOST_STORED_VALUES} values if the payment travels in the message; 1,000 if it is in a PAYMENT-SIGNATURE header and no x402 extension is activated`,
    'list_too_long',
  ),
)

/** True if the order is paid by a header, or nothing in it says that its client knows payment in messages. */
export const isOverHttp = ({ requestContext, signal }: Order): boolean =>
  requestContext.rawPayment.kind !== 'none' ||
  (requestContext.extensions.length === 0 && signal.kind === 'none')

export async function executeOrder(context: TaskContext, order: Order): Promise<Outcome> {
  const { requestContext, signal, ordered, asked } = order
  requestContext.answer.type = ordered.type
  if (isOverHttp(order)) return payOverHttp(context, order)
  if (ordered.items.length > MOST_STORED_VALUES) return TOO_LONG_IN_BAND
  // A payment sent with an uncertain text does not confirm what was understood, so the task must be paid for again.
  return signal.kind === 'submitted' && asked?.certain !== false
    ? payInBand(context, order, signal.rawPayment)
    : requirePayment(context, order)
}

async function payOverHttp(context: TaskContext, order: Order): Promise<Outcome> {
  const { rawPayment } = order.requestContext
  const isStored = rawPayment.kind !== 'none' && order.ordered.items.length <= MOST_STORED_VALUES
  const sale: Sale =
    rawPayment.kind === 'repeated'
      ? { kind: 'unpaid', code: 'payment_malformed', quote: await quoteOf(context, order) }
      : await context.sell(isStored ? storedCallOf(order) : callOf(order), rawPayment)
  const translated = answerOverHttp(sale, order.requestContext, order.asked)
  return translated.kind === 'fault'
    ? translated
    : showOrder(context, order, translated.taskState, taskIdOf(sale))
}

async function payInBand(context: TaskContext, order: Order, rawPayment: RawPayment): Promise<Outcome> {
  const sale = await context.sell(storedCallOf(order), rawPayment)
  const taskId = taskIdOf(sale)
  // Without a stored task the client can only repeat the message, so it gets an HTTP error that says so.
  if (sale.kind === 'declined' && taskId === undefined && isRetried(sale.code)) {
    return fault(declinedFault(sale))
  }
  const payload = rawPayment.kind === 'object' ? rawPayment.payload : undefined
  const translated = answerInBand(sale, order.requestContext, payload)
  if (translated.kind === 'fault') return translated
  const { taskState } = translated
  // The next message can pay for the task only if it is stored.
  return taskState.state === 'unpaid'
    ? requirePayment(context, order, taskState)
    : showOrder(context, order, taskState, taskId)
}

const isRetried = (code: ErrorCode): boolean => code === 'payment_in_doubt' || isNotNow(code)

function taskIdOf(sale: Sale): string | undefined {
  return sale.kind === 'unpaid' ? undefined : sale.taskId
}
