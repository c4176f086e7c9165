import type { Task } from '@a2a-js/sdk'
import { v4 as newId } from 'uuid'
import type { RawPayment } from '../../../payments/ports/sale.ts'
import { offeredTerms } from '../protocol/extensions.ts'
import type { RenderedState } from '../protocol/outcome.ts'
import { quoteOfText } from '../reply/text-quote.ts'
import type { Ordered } from '../request/route-skill.ts'
import { type PendingOrder, readPendingOrder, writePendingOrder } from './pending-order.ts'
import { renderTask } from './render-task.ts'
import type { TaskContext, TaskMessage } from './task-context.ts'

/** A message that orders a check. Its values are in no other object. */
export interface Order extends TaskMessage {
  readonly ordered: Ordered
  /** True for an order in words: its first answer says how it was read. */
  readonly isInWords: boolean
}

/** What a task keeps of its order. */
export const taskOf = (order: Order) => ({ pendingOrder: writePendingOrder(pendingOrderOf(order)) })

function pendingOrderOf({ contextId, requestContext, ordered: { shape, type, items } }: Order): PendingOrder {
  const { asksForAllSchemes = false } = requestContext
  const pendingOrder = { contextId, terms: offeredTerms(requestContext), asksForAllSchemes }
  return shape === 'single' ? pendingOrder : { ...pendingOrder, list: { type, items: items.length } }
}

export const payloadOf = (payment: RawPayment): unknown =>
  payment.kind === 'object' ? payment.payload : undefined

/** Renders the task of an order; one that is not stored gets a new id. */
export async function showOrder(
  context: TaskContext,
  order: Order,
  taskState: RenderedState,
  taskId: string = newId(),
): Promise<Task> {
  const pendingOrder = await pendingOrderOfTask(context, taskId, order, taskState)
  const { ordered, isInWords } = order
  const { shape, type, items } = ordered
  const quote = await context.quote.of({ shape, type, items: items.length }, 'a2a')
  const asked = isInWords ? quoteOfText(ordered, quote) : undefined
  const rendering = { taskId, ...pendingOrder, skill: items[0].skill, quote, asked }
  return renderTask(rendering, taskState, order.historyLength)
}

/** A repeated order is answered with its first task, whose context may be another. */
async function pendingOrderOfTask(
  { tasks }: TaskContext,
  taskId: string,
  order: Order,
  { state }: RenderedState,
): Promise<PendingOrder> {
  if (state !== 'sold' && state !== 'working') return pendingOrderOf(order)
  const pendingOrder = await tasks.pendingOrder(taskId).catch(() => null)
  return pendingOrder === null ? pendingOrderOf(order) : readPendingOrder(pendingOrder)
}
