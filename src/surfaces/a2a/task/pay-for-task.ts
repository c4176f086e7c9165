/** Payments for stored tasks, whose values are not sent again. */
import type { ErrorCode } from '../../../errors.ts'
import type { PaymentHeader } from '../../../http/headers/payment-header.ts'
import type { RawPayment } from '../../../payments/ports/sale.ts'
import type { TaskView } from '../../../payments/ports/task.ts'
import type { Reply } from '../../call/reply.ts'
import { answerInBand, answerOverHttp } from '../reply/answer-sale.ts'
import { asCounted, type Outcome, result } from '../reply/outcome.ts'
import { readMemo } from './memo.ts'
import { payloadOf } from './order.ts'
import type { RenderedState } from './render-task.ts'
import { getTask, renderStoredTask, showOtherwiseOver } from './stored-task.ts'
import type { FollowUp, TaskContext } from './task-context.ts'

export async function payByHeader(context: TaskContext, message: FollowUp, view: TaskView): Promise<Outcome> {
  const { taskId, requestContext, historyLength } = message
  const reply = await sellTask(context, message, view, requestContext.payment)
  if (reply.kind === 'declined' && view.state !== 'unpaid' && OTHERWISE_OVER.has(reply.code))
    return asCounted(await showOtherwiseOver(context, taskId, historyLength))
  const answer = answerOverHttp(reply, requestContext)
  return answer.kind === 'fault'
    ? answer
    : result(renderStoredTask(taskId, view, historyLength, answer.taskState), answer)
}

/** What a new payment gets for a task that another one paid, may have paid, or ended. */
const OTHERWISE_OVER: ReadonlySet<ErrorCode> = new Set(['payment_already_used', 'task_not_found'] as const)

export async function payInBand(
  context: TaskContext,
  message: FollowUp,
  view: TaskView,
  payment: RawPayment,
): Promise<Outcome> {
  const { taskId, historyLength } = message
  // A failed task goes to the sale too: its payment may have been charged in spite of the refusal.
  const reply = await sellTask(context, message, view, payment)
  if (reply.kind === 'declined' && reply.code === 'task_not_found')
    return asCounted(await showOtherwiseOver(context, taskId, historyLength))
  const answer = answerInBand(reply, payloadOf(payment))
  if (answer.kind === 'fault') return answer
  const { taskState } = answer
  if (taskState.state === 'failed') return asCounted(await failTask(context, message, view, taskState))
  return result(renderStoredTask(taskId, view, historyLength, taskState), answer)
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
  { memo, skill, quote }: TaskView,
  payment: PaymentHeader | RawPayment,
): Promise<Reply> {
  const { type, items: values } = readMemo(memo).list ?? { type: skill.id, items: 1 }
  const reply = await counter.sellTask({
    ...requestContext,
    payment,
    taskId,
    surface: 'a2a',
    type,
    values,
    quote,
  })
  if (reply.kind === 'sold') shares.remove(taskId)
  return reply
}
