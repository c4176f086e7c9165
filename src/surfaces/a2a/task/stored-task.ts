import type { Task } from '@a2a-js/sdk'
import { type Charged, consequencesOf } from '../../../errors.ts'
import type { TaskView } from '../../../payments/ports/task.ts'
import { type Outcome, type RenderedState, result } from '../protocol/outcome.ts'
import { protocolFault } from '../protocol/rpc-error.ts'
import { readPendingOrder } from './pending-order.ts'
import { renderTask } from './render-task.ts'
import type { TaskContext } from './task-context.ts'

/** The ids of this service; no other id names a task. */
const TASK_ID = /^[A-Za-z0-9_-]{16,128}$/

export const TASK_NOT_FOUND = protocolFault('TASK_NOT_FOUND')

/** Returns null for an unknown or expired task. */
export async function readTask({ tasks }: TaskContext, taskId: string): Promise<TaskView | null> {
  return TASK_ID.test(taskId) ? tasks.read(taskId) : null
}

export function chargedFor(view: TaskView): Charged {
  if (view.state === 'failed') return consequencesOf(view.code).charged
  return view.state === 'working' ? 'unknown' : view.state === 'sold'
}

/** Answers a payment that was not taken, because the task is over by another one; of a failed task it says so. */
export async function showOtherwiseOver(
  context: TaskContext,
  taskId: string,
  historyLength: number | undefined,
): Promise<Outcome> {
  const view = await readTask(context, taskId)
  if (view === null) return TASK_NOT_FOUND
  const taskState = view.state === 'failed' ? ({ state: 'failed', code: 'task_not_found' } as const) : view
  return result(renderStoredTask(taskId, view, historyLength, taskState))
}

export async function getTask(
  context: TaskContext,
  taskId: string,
  historyLength: number | undefined,
): Promise<Outcome> {
  const view = await readTask(context, taskId)
  return view === null ? TASK_NOT_FOUND : result(renderStoredTask(taskId, view, historyLength))
}

export async function cancelTask(context: TaskContext, taskId: string): Promise<Outcome> {
  const view = await readTask(context, taskId)
  if (view === null) return TASK_NOT_FOUND
  const canceled = view.state === 'unpaid' && (await context.tasks.cancel(taskId))
  if (!canceled) {
    // A payment may have come in since an unpaid task was read.
    const charged = view.state === 'unpaid' ? 'unknown' : chargedFor(view)
    return protocolFault('TASK_NOT_CANCELABLE', charged)
  }
  context.shares.remove(taskId)
  return result(renderStoredTask(taskId, view, undefined, { state: 'canceled' }))
}

export function renderStoredTask(
  taskId: string,
  view: TaskView,
  historyLength: number | undefined,
  taskState: RenderedState = view,
): Task {
  const { pendingOrder, skill, quote } = view
  return renderTask({ taskId, ...readPendingOrder(pendingOrder), skill, quote }, taskState, historyLength)
}
