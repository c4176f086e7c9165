import type { Task } from '@a2a-js/sdk'
import type { Tasks, TaskView } from '../../../payments/ports/task.ts'
import { fault } from '../reply/outcome.ts'
import { protocolFault } from '../reply/rpc-error.ts'
import { readMemo } from './memo.ts'
import { renderTask, type ShownState } from './render-task.ts'

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

/** Renders a stored task, in its own state if no other is given. */
export function renderStoredTask(
  taskId: string,
  view: TaskView,
  historyLength: number | undefined,
  taskState: ShownState = stateOf(view),
): Task {
  const { memo, skill, quote } = view
  return renderTask({ taskId, ...readMemo(memo), skill, quote }, taskState, historyLength)
}

function stateOf(view: TaskView): ShownState {
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
