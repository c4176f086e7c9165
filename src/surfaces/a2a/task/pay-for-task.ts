/** A payment for a stored task, by header or in a message; the value is not sent again. */
import type { RawPayment, Sale, SealedCall } from '../../../payments/ports/sale.ts'
import type { TaskView } from '../../../payments/ports/task.ts'
import { answerInBand, answerOverHttp } from '../reply/answer-sale.ts'
import { type Outcome, result } from '../reply/outcome.ts'
import type { RequestContext } from '../request/request-context.ts'
import type { RenderedState } from './render-task.ts'
import { getTask, renderStoredTask } from './stored-task.ts'
import type { FollowUp, TaskContext } from './task-context.ts'

export async function payByHeader(
  { sell }: TaskContext,
  { taskId, requestContext, historyLength }: FollowUp,
  view: TaskView,
): Promise<Outcome> {
  const { rawPayment } = requestContext
  const sale: Sale =
    rawPayment.kind === 'repeated'
      ? { kind: 'unpaid', code: 'payment_malformed', quote: view.quote }
      : await sell(callOf(taskId, requestContext), rawPayment)
  const translated = answerOverHttp(sale, requestContext)
  return translated.kind === 'fault'
    ? translated
    : result(renderStoredTask(taskId, view, historyLength, translated.taskState))
}

export async function payInBand(
  context: TaskContext,
  message: FollowUp,
  view: TaskView,
  rawPayment: RawPayment,
): Promise<Outcome> {
  const { taskId, requestContext, historyLength } = message
  // A failed task goes to the sale too: the refusal may be retried, or may have been wrong.
  const sale = await context.sell(callOf(taskId, requestContext), rawPayment)
  if (sale.kind === 'declined' && sale.code === 'task_not_found')
    return getTask(context, taskId, historyLength)
  if (sale.kind === 'sold') context.shares.remove(taskId)
  const payload = rawPayment.kind === 'object' ? rawPayment.payload : undefined
  const translated = answerInBand(sale, requestContext, payload)
  if (translated.kind === 'fault') return translated
  const { taskState } = translated
  if (taskState.state === 'failed') return failTask(context, message, view, taskState)
  return result(renderStoredTask(taskId, view, historyLength, taskState))
}

/** Ends the task as failed; shows it unchanged if another payment is attached to it. */
async function failTask(
  context: TaskContext,
  { taskId, historyLength }: FollowUp,
  view: TaskView,
  failed: Extract<RenderedState, { state: 'failed' }>,
): Promise<Outcome> {
  const hasFailed = await context.tasks.fail(taskId, failed.code)
  return hasFailed
    ? result(renderStoredTask(taskId, view, historyLength, failed))
    : getTask(context, taskId, historyLength)
}

/** The sealed call; what the sale counts against clients is counted against the one that sent this message. */
const callOf = (taskId: string, { client }: RequestContext): SealedCall => ({
  kind: 'sealed',
  surface: 'a2a',
  client,
  taskId,
})
