import { type Outcome, result } from '../reply/outcome.ts'
import { readTask, renderStoredTask, TASK_NOT_FOUND } from './stored-task.ts'
import type { TaskContext } from './task-context.ts'

/** Answers GetTask. */
export async function getTask(
  context: TaskContext,
  taskId: string,
  historyLength: number | undefined,
): Promise<Outcome> {
  const view = await readTask(context, taskId)
  return view === null ? TASK_NOT_FOUND : result(renderStoredTask(taskId, view, historyLength))
}
