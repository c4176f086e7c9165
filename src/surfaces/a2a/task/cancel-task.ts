import { fault, type Outcome, result } from '../reply/outcome.ts'
import { protocolFault } from '../reply/rpc-error.ts'
import { chargedFor, readTask, renderStoredTask, TASK_NOT_FOUND } from './stored-task.ts'
import type { TaskContext } from './task-context.ts'

export async function cancelTask(context: TaskContext, taskId: string): Promise<Outcome> {
  const view = await readTask(context, taskId)
  if (view === null) return TASK_NOT_FOUND
  const canceled = view.state === 'unpaid' && (await context.tasks.cancel(taskId))
  if (!canceled) {
    // A payment may have come in since an unpaid task was read.
    const charged = view.state === 'unpaid' ? 'unknown' : chargedFor(view)
    return fault(protocolFault('TASK_NOT_CANCELABLE', charged))
  }
  context.shares.remove(taskId)
  return result(renderStoredTask(taskId, view, undefined, { state: 'canceled' }))
}
