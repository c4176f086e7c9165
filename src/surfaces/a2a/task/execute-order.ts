/**
 * An order with a payment header is answered as on REST. A client that knows payment in messages pays in this one, or
 * gets a task to pay for. Any other gets an HTTP 402 with the terms.
 */
import { type ErrorCode, isNotNow } from '../../../errors.ts'
import { setAccessLogFields } from '../../../http/access-log-fields.ts'
import type { RawPayment } from '../../../payments/ports/sale.ts'
import type { HoldVerdict, Withheld } from '../../../payments/ports/task.ts'
import { type Caller, hitsOf } from '../../call/counter.ts'
import type { Reply } from '../../call/reply.ts'
import { type Outcome, type RenderedState, result, shown } from '../protocol/outcome.ts'
import { invalidParams } from '../protocol/rpc-error.ts'
import { answerInBand, answerOverHttp, refusalFault } from '../reply/answer-sale.ts'
import { type Order, payloadOf, showOrder, taskOf } from './order.ts'
import type { TaskContext } from './task-context.ts'

/** Values of a list that is stored as a task; a longer one is answered but not stored. */
const MOST_STORED_VALUES = 100

const TOO_LONG_IN_BAND = invalidParams(
  'message.parts',
  `may have at most ${MOST_STORED_VALUES} values if the payment travels in the message; 1,000 if it is in a PAYMENT-SIGNATURE header and no x402 extension is activated`,
  'list_too_long',
)

/** True if the order is paid by a header, or nothing in it says that its client knows payment in messages. */
const isOverHttp = ({ requestContext, signal }: Order): boolean =>
  requestContext.payment.kind !== 'none' || (requestContext.extensions.length === 0 && signal.kind === 'none')

export async function executeOrder(context: TaskContext, order: Order): Promise<Outcome> {
  const { requestContext, signal, ordered } = order
  setAccessLogFields(requestContext.res, { type: ordered.type })
  if (isOverHttp(order)) return payOverHttp(context, order)
  if (ordered.items.length > MOST_STORED_VALUES) return TOO_LONG_IN_BAND
  return signal.kind === 'submitted'
    ? payInBand(context, order, signal.rawPayment)
    : requirePayment(context, order)
}

async function payOverHttp(context: TaskContext, order: Order): Promise<Outcome> {
  const { payment } = order.requestContext
  const isStored = payment.kind !== 'none' && order.ordered.items.length <= MOST_STORED_VALUES
  const reply = await execute(context, order, isStored ? { task: taskOf(order) } : {})
  return shown(
    answerOverHttp(reply, order.requestContext, order.isInWords ? order.ordered : undefined),
    (taskState) => showOrder(context, order, taskState, taskIdOf(reply)),
  )
}

async function payInBand(context: TaskContext, order: Order, payment: RawPayment): Promise<Outcome> {
  const reply = await execute(context, order, { payment, task: taskOf(order) })
  const taskId = taskIdOf(reply)
  // Without a stored task the client can only repeat the message, so it gets an HTTP error that says so.
  if (reply.kind === 'declined' && taskId === undefined && isRetried(reply.code)) {
    return refusalFault(reply)
  }
  const answer = answerInBand(reply, payloadOf(payment))
  // The next message can pay for the task only if it is stored.
  return answer.kind === 'result' && answer.result.state === 'unpaid'
    ? requirePayment(context, order, answer.result)
    : shown(answer, (taskState) => showOrder(context, order, taskState, taskId))
}

const execute = (
  { executors }: TaskContext,
  { ordered, requestContext }: Order,
  paid: Pick<Partial<Caller>, 'payment' | 'task'>,
): Promise<Reply> => executors.of(ordered).execute({ items: ordered.items }, { ...requestContext, ...paid })

const isRetried = (code: ErrorCode): boolean => code === 'payment_in_doubt' || isNotNow(code)

const taskIdOf = (reply: Reply): string | undefined =>
  reply.kind === 'sold' || reply.kind === 'declined' ? reply.taskId : undefined

/**
 * The state is "input required": the input is a payment in the next message. `refused` if a payment came with the
 * order: its code is logged already.
 */
async function requirePayment(context: TaskContext, order: Order, refused?: RenderedState): Promise<Outcome> {
  const { counter, shares, tasks } = context
  const { res, attempt } = order.requestContext
  const client = counter.clientOf(res)
  const withheld = await hold(context, {
    ...{ kind: 'value', surface: 'a2a', client, ...order.ordered },
    task: taskOf(order),
  })
  if (withheld.kind === 'declined') return refusalFault(withheld)
  const values = order.ordered.items.length
  const code = refused === undefined ? 'payment_required' : undefined
  counter.count(res, attempt, code, { times: hitsOf(values), kind: 'quote' })
  const ended = shares.add(client, withheld.taskId, values)
  await Promise.all(ended.map((taskId) => tasks.cancel(taskId)))
  return result(await showOrder(context, order, refused ?? { state: 'unpaid' }, withheld.taskId))
}

/** Ends an older unpaid task if the store is full, and tries once more. */
async function hold(context: TaskContext, call: Parameters<HoldVerdict>[0]): Promise<Withheld> {
  const withheld = await context.holdVerdict(call)
  const isFull = withheld.kind === 'declined' && withheld.code === 'too_many_requests'
  return isFull && (await makeRoom(context)) ? context.holdVerdict(call) : withheld
}

async function makeRoom({ shares, tasks }: TaskContext): Promise<boolean> {
  for (let taskId = shares.evict(); taskId !== undefined; taskId = shares.evict()) {
    if (await tasks.cancel(taskId)) return true
  }
  return false
}
