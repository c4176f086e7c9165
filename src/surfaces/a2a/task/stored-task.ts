import type { Task } from '@a2a-js/sdk'
import type { Tasks, TaskView } from '../../../payments/ports/task.ts'
import { fault, type Outcome, result } from '../reply/outcome.ts'
import { protocolFault } from '../reply/rpc-error.ts'
import { readMemo } from './memo.ts'
import { type RenderedState, renderTask } from './render-task.ts'

/** The ids of this service; no other id names a task. */
const TASK_ID = /^[A-Za-z0-9_-]{16,128}$/

export const TASK_NOT_FOUND = fault(protocolFault('TASK_NOT_FOUND'))

/** Reads a stored task; null for an unknown or expired one. */
export async function readTask(
  { tasks }: { readonly tasks: Tasks },
  taskId: string,
): Promise<TaskView | null> {
  return TASK_ID.test(taskId) ? tasks.read(taskId) : null
}

export async function getTask(
  context: { readonly tasks: Tasks },
  taskId: string,
  historyLength: number | undefined,
): Promise<Outcome> {
  const view = await readTask(context, taskId)
  return view === null ? TASK_NOT_FOUND : result(renderStoredTask(taskId, view, historyLength))
}

/** Renders a stored task, in its own state if no other is given. */
export function renderStoredTask(
  taskId: string,
  view: TaskView,
  historyLength: number | undefined,
  taskState: RenderedState = stateOf(view),
): Task {
  const { memo, skill, quote } = view
  return renderTask({ taskId, ...readMemo(memo), skill, quote }, taskState, historyLength)
}

function stateOf(view: TaskView): RenderedState {
  switch (view.state) {
    case 'sold':
      return { state: 'sold', verdicts: view.verdicts, settlement: view.settlement }
    case 'failed':
      return view.settlement === undefined
        ? { state: 'failed', code: view.code }
        : { state: 'failed', code: view.code, settlement: view.settlement }
    default:
      return { state: view.state }
  }
}
