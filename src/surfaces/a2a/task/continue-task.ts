import { setAccessLogFields } from '../../../http/access-log-fields.ts'
import type { TaskView } from '../../../payments/ports/task.ts'
import { fault, type Outcome, result } from '../reply/outcome.ts'
import { invalidParams, protocolFault } from '../reply/rpc-error.ts'
import { cancelTask } from './cancel-task.ts'
import { readMemo } from './memo.ts'
import { payByHeader, payInBand } from './pay-for-task.ts'
import { chargedFor, readTask, renderStoredTask, TASK_NOT_FOUND } from './stored-task.ts'
import type { FollowUp, TaskContext } from './task-context.ts'

const OTHER_CONTEXT = fault(invalidParams('message.contextId', 'is not the one of the task'))

const terminal = (view: TaskView) => fault(protocolFault('TASK_TERMINAL', chargedFor(view)))

/** Answers a message that pays for a task, cancels it, or asks for it. Its parts are not read. */
export async function continueTask(context: TaskContext, message: FollowUp): Promise<Outcome> {
  const { taskId, contextId, signal, requestContext, historyLength } = message
  const { payment, res, attempt } = requestContext
  const view = await readTask(context, taskId)
  if (view === null) return TASK_NOT_FOUND
  const memo = readMemo(view.memo)
  setAccessLogFields(res, { type: memo.list?.type ?? view.skill.id })
  if (contextId !== '' && contextId !== memo.contextId) return OTHER_CONTEXT
  if (view.state === 'canceled') return terminal(view)
  if (payment.kind !== 'none') return payByHeader(context, message, view)
  if (signal.kind === 'submitted') return payInBand(context, message, view, signal.rawPayment)
  if (signal.kind === 'rejected' && view.state === 'unpaid') return cancelTask(context, taskId)
  if (view.state !== 'unpaid' && view.state !== 'working') return terminal(view)
  if (view.state === 'unpaid') context.counter.count(res, attempt, 'payment_required')
  return result(renderStoredTask(taskId, view, historyLength))
}
