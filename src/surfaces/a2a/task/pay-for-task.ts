/** Payments for stored tasks, whose values are not sent again. */
import type { ErrorCode } from '../../../errors.ts'
import type { RawPayment, Sale } from '../../../payments/ports/sale.ts'
import type { TaskView } from '../../../payments/ports/task.ts'
import { answerInBand, answerOverHttp } from '../reply/answer-sale.ts'
import { type Outcome, result } from '../reply/outcome.ts'
import { limiterWeight } from '../request/request-context.ts'
import { readMemo } from './memo.ts'
import type { RenderedState } from './render-task.ts'
import { getTask, renderStoredTask } from './stored-task.ts'
import type { FollowUp, TaskContext } from './task-context.ts'

export async function payByHeader(context: TaskContext, message: FollowUp, view: TaskView): Promise<Outcome> {
  const { taskId, requestContext, historyLength } = message
  const { rawPayment } = requestContext
  const sale: Sale =
    rawPayment.kind === 'repeated'
      ? { kind: 'unpaid', code: 'payment_malformed', quote: view.quote }
      : await sellTask(context, message, view, rawPayment)
  if (sale.kind === 'declined' && view.state !== 'unpaid' && OTHERWISE_OVER.has(sale.code))
    return getTask(context, taskId, historyLength)
  const translated = answerOverHttp(sale, requestContext)
  return translated.kind === 'fault'
    ? translated
    : result(renderStoredTask(taskId, view, historyLength, translated.taskState))
}

/** What a new payment gets for a task that another one paid, may have paid, or ended. */
const OTHERWISE_OVER: ReadonlySet<ErrorCode> = new Set(['payment_already_used', 'task_not_found'] as const)

export async function payInBand(
  context: TaskContext,
  message: FollowUp,
  view: TaskView,
  rawPayment: RawPayment,
): Promise<Outcome> {
  const { taskId, requestContext, historyLength } = message
  // A failed task goes to the sale too: its payment may have been charged in spite of the refusal.
  const sale = await sellTask(context, message, view, rawPayment)
  if (sale.kind === 'declined' && sale.code === 'task_not_found')
    return getTask(context, taskId, historyLength)
  const payload = rawPayment.kind === 'object' ? rawPayment.payload : undefined
  const translated = answerInBand(sale, requestContext, payload)
  if (translated.kind === 'fault') return translated
  const { taskState } = translated
  if (taskState.state === 'failed') return failTask(context, message, view, taskState)
  return result(renderStoredTask(taskId, view, historyLength, taskState))
}

/** Shows the task as it is if it can no longer fail, because another payment is under way for it. */
async function failTask(
  context: TaskContext,
  { taskId, historyLength }: FollowUp,
  view: TaskView,
  failed: Extract<RenderedState, { state: 'failed' }>,
): Promise<Outcome> {
  const hasFailed = await context.tasks.fail(taskId, failed.code)
  if (!hasFailed) return getTask(context, taskId, historyLength)
  context.shares.remove(taskId)
  return result(renderStoredTask(taskId, view, historyLength, failed))
}

async function sellTask(
  { sell, shares }: TaskContext,
  { taskId, requestContext: { client, answer } }: FollowUp,
  { memo }: TaskView,
  rawPayment: RawPayment,
): Promise<Sale> {
  const sale = await sell({ kind: 'sealed', surface: 'a2a', client, taskId }, rawPayment)
  if (sale.kind === 'sold') {
    shares.remove(taskId)
    answer.weight = limiterWeight(readMemo(memo).list?.items ?? 1)
  } else answer.outcome = sale.code
  return sale
}
