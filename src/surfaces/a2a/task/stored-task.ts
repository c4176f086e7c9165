import type { Task } from '@a2a-js/sdk'
import type { TaskView } from '../../../payments/ports/task.ts'
import { fault, type Outcome, result } from '../reply/outcome.ts'
import { protocolFault } from '../reply/rpc-error.ts'
import { readMemo } from './memo.ts'
import { type RenderedState, renderTask } from './render-task.ts'
import type { TaskContext } from './task-context.ts'

/** The ids of this service; no other id names a task. */
const TASK_ID = /^[A-Za-z0-9_-]{16,128}$/

export const TASK_NOT_FOUND = fault(protocolFault('TASK_NOT_FOUND'))

/** Returns null for an unknown or expired task. */
export async function readTask({ tasks }: TaskContext, taskId: string): Promise<TaskView | null> {
  return TASK_ID.test(taskId) ? tasks.read(taskId) : null
}

export async function getTask(
  context: TaskContext,
  taskId: string,
  historyLength: number | undefined,
): Promise<Outcome> {
  const view = await readTask(context, taskId)
  return view === null ? TASK_NOT_FOUND : result(renderStoredTask(taskId, view, historyLength))
}

export function renderStoredTask(
  taskId: string,
  view: TaskView,
  historyLength: number | undefined,
  taskState: RenderedState = view,
): Task {
  const { memo, skill, quote } = view
  return renderTask({ taskId, ...readMemo(memo), skill, quote }, taskState, historyLength)
}
