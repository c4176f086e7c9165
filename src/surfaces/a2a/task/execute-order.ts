/**
 * Turns an order into a task.
 *
 * An order with a payment header is answered as on REST. A client that knows payment in messages pays in this one, or
 * gets a task to pay for. Any other gets an HTTP 402 with the terms.
 */
import { type ErrorCode, isNotNow } from '../../../errors.ts'
import { setAccessLogFields } from '../../../http/access-log-fields.ts'
import type { RawPayment } from '../../../payments/ports/sale.ts'
import type { Reply } from '../../call/reply.ts'
import { answerInBand, answerOverHttp, refusalFault } from '../reply/answer-sale.ts'
import { asCounted, fault, type Outcome, result } from '../reply/outcome.ts'
import { invalidParams } from '../reply/rpc-error.ts'
import { decodedCallOf, type Order, payloadOf, taskOf } from './order.ts'
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
  requestContext.payment.kind !== 'none' || (requestContext.extensions.length === 0 && signal.kind === 'none')

export async function executeOrder(context: TaskContext, order: Order): Promise<Outcome> {
  const { requestContext, signal, ordered, asked } = order
  setAccessLogFields(requestContext.res, { type: ordered.type })
  if (isOverHttp(order)) return payOverHttp(context, order)
  if (ordered.items.length > MOST_STORED_VALUES) return TOO_LONG_IN_BAND
  // A payment sent with an uncertain text does not confirm what was understood, so the task must be paid for again.
  return signal.kind === 'submitted' && asked?.certain !== false
    ? payInBand(context, order, signal.rawPayment)
    : requirePayment(context, order)
}

async function payOverHttp(context: TaskContext, order: Order): Promise<Outcome> {
  const { payment } = order.requestContext
  const isStored = payment.kind !== 'none' && order.ordered.items.length <= MOST_STORED_VALUES
  const call = decodedCallOf(context, order)
  const reply = await context.counter.sell(isStored ? { ...call, task: taskOf(order) } : call)
  const answer = answerOverHttp(reply, order.requestContext, order.asked)
  return answer.kind === 'fault'
    ? answer
    : result(await showOrder(context, order, answer.taskState, taskIdOf(reply)), answer)
}

async function payInBand(context: TaskContext, order: Order, payment: RawPayment): Promise<Outcome> {
  const task = taskOf(order)
  const reply = await context.counter.sell({ ...decodedCallOf(context, order), payment, task })
  const taskId = taskIdOf(reply)
  // Without a stored task the client can only repeat the message, so it gets an HTTP error that says so.
  if (reply.kind === 'declined' && taskId === undefined && isRetried(reply.code)) {
    return asCounted(fault(refusalFault(reply)))
  }
  const answer = answerInBand(reply, payloadOf(payment))
  if (answer.kind === 'fault') return answer
  const { taskState } = answer
  // The next message can pay for the task only if it is stored.
  return taskState.state === 'unpaid'
    ? asCounted(await requirePayment(context, order, taskState))
    : result(await showOrder(context, order, taskState, taskId), answer)
}

const isRetried = (code: ErrorCode): boolean => code === 'payment_in_doubt' || isNotNow(code)

const taskIdOf = (reply: Reply): string | undefined =>
  reply.kind === 'sold' || reply.kind === 'declined' ? reply.taskId : undefined
