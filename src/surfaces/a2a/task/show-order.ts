import type { Task } from '@a2a-js/sdk'
import { v4 as newId } from 'uuid'
import { type Memo, readMemo } from './memo.ts'
import { memoOf, type Order, quoteOf } from './order.ts'
import { type RenderedState, renderTask } from './render-task.ts'
import type { TaskContext } from './task-context.ts'

/** A task that is not stored has a new id. */
export async function showOrder(
  context: TaskContext,
  order: Order,
  taskState: RenderedState,
  taskId: string = newId(),
): Promise<Task> {
  const memo = await memoOfTask(context, taskId, order, taskState)
  const { skill } = order.ordered.items[0]
  const rendering = { taskId, ...memo, skill, quote: await quoteOf(context, order), asked: order.asked }
  return renderTask(rendering, taskState, order.historyLength)
}

/** A repeated order is answered with its first task, whose context may be another. */
async function memoOfTask(
  { tasks }: TaskContext,
  taskId: string,
  order: Order,
  { state }: RenderedState,
): Promise<Memo> {
  if (state !== 'sold' && state !== 'working') return memoOf(order)
  const memo = await tasks.memo(taskId).catch(() => null)
  return memo === null ? memoOf(order) : readMemo(memo)
}
