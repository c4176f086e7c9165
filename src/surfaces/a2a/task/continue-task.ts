/** Messages for stored tasks, whose values are not sent again. */
import type { ErrorCode } from '../../../errors.ts'
import { setAccessLogFields } from '../../../http/access-log-fields.ts'
import type { PaymentHeader } from '../../../http/headers/payment-header.ts'
import type { RawPayment } from '../../../payments/ports/sale.ts'
import type { TaskView } from '../../../payments/ports/task.ts'
import type { Reply } from '../../call/reply.ts'
import { type Outcome, type RenderedState, result, shown } from '../protocol/outcome.ts'
import { invalidParams, protocolFault } from '../protocol/rpc-error.ts'
import { answerInBand, answerOverHttp } from '../reply/answer-sale.ts'
import { payloadOf } from './order.ts'
import { readPendingOrder } from './pending-order.ts'
import {
  cancelTask,
  chargedFor,
  getTask,
  readTask,
  renderStoredTask,
  showOtherwiseOver,
  TASK_NOT_FOUND,
} from './stored-task.ts'
import type { FollowUp, TaskContext } from './task-context.ts'

const OTHER_CONTEXT = invalidParams('message.contextId', 'is not the one of the task')

const terminal = (view: TaskView) => protocolFault('TASK_TERMINAL', chargedFor(view))

/** The parts of the message are not read. */
export async function continueTask(context: TaskContext, message: FollowUp): Promise<Outcome> {
  const { taskId, contextId, signal, requestContext, historyLength } = message
  const { payment, res, attempt } = requestContext
  const view = await readTask(context, taskId)
  if (view === null) return TASK_NOT_FOUND
  const pendingOrder = readPendingOrder(view.pendingOrder)
  setAccessLogFields(res, { type: pendingOrder.list?.type ?? view.skill.id })
  if (contextId !== '' && contextId !== pendingOrder.contextId) return OTHER_CONTEXT
  if (view.state === 'canceled') return terminal(view)
  if (payment.kind !== 'none') return payByHeader(context, message, view)
  if (signal.kind === 'submitted') return payInBand(context, message, view, signal.rawPayment)
  if (signal.kind === 'rejected' && view.state === 'unpaid') return cancelTask(context, taskId)
  if (view.state !== 'unpaid' && view.state !== 'working') return terminal(view)
  if (view.state === 'unpaid') context.counter.count(res, attempt, 'payment_required')
  return result(renderStoredTask(taskId, view, historyLength))
}

async function payByHeader(context: TaskContext, message: FollowUp, view: TaskView): Promise<Outcome> {
  const { taskId, requestContext, historyLength } = message
  const reply = await sellTask(context, message, view, requestContext.payment)
  if (reply.kind === 'declined' && view.state !== 'unpaid' && OTHERWISE_OVER.has(reply.code))
    return showOtherwiseOver(context, taskId, historyLength)
  return shown(answerOverHttp(reply, requestContext), (taskState) =>
    renderStoredTask(taskId, view, historyLength, taskState),
  )
}

/** Answers to a new payment for a task that an earlier one has ended, paid or may have paid. */
const OTHERWISE_OVER: ReadonlySet<ErrorCode> = new Set(['payment_already_used', 'task_not_found'] as const)

async function payInBand(
  context: TaskContext,
  message: FollowUp,
  view: TaskView,
  payment: RawPayment,
): Promise<Outcome> {
  const { taskId, historyLength } = message
  // A failed task goes to the sale too: its payment may have been charged in spite of the refusal.
  const reply = await sellTask(context, message, view, payment)
  if (reply.kind === 'declined' && reply.code === 'task_not_found')
    return showOtherwiseOver(context, taskId, historyLength)
  const answer = answerInBand(reply, payloadOf(payment))
  return answer.kind === 'result' && answer.result.state === 'failed'
    ? failTask(context, message, view, answer.result)
    : shown(answer, (taskState) => renderStoredTask(taskId, view, historyLength, taskState))
}

/** Shows the task as it is if it can no longer fail, because another payment is under way for it. */
async function failTask(
  context: TaskContext,
  { taskId, historyLength }: FollowUp,
  view: TaskView,
  failed: Extract<RenderedState, { state: 'failed' }>,
): Promise<Outcome> {
  const hasFailed = await context.tasks.fail(taskId, failed.code, failed.why)
  if (!hasFailed) {
    const isByAnother = failed.code === 'payment_already_used'
    return (isByAnother ? showOtherwiseOver : getTask)(context, taskId, historyLength)
  }
  context.shares.remove(taskId)
  return result(renderStoredTask(taskId, view, historyLength, failed))
}

async function sellTask(
  { counter, shares }: TaskContext,
  { taskId, requestContext }: FollowUp,
  { pendingOrder, skill, quote }: TaskView,
  payment: PaymentHeader | RawPayment,
): Promise<Reply> {
  const { type, items: values } = readPendingOrder(pendingOrder).list ?? { type: skill.id, items: 1 }
  const reply = await counter.sellTask({ ...requestContext, payment, taskId, type, values, quote })
  if (reply.kind === 'sold') shares.remove(taskId)
  return reply
}
