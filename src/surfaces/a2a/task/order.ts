import type { Task } from '@a2a-js/sdk'
import { v4 as newId } from 'uuid'
import type { RawPayment } from '../../../payments/ports/sale.ts'
import { readOrder } from '../../../payments/terms/orders.ts'
import type { DecodedCall } from '../../call/counter.ts'
import { offeredTerms } from '../request/extensions.ts'
import type { Ordered } from '../request/route-skill.ts'
import { type Memo, readMemo, writeMemo } from './memo.ts'
import { type RenderedState, renderTask } from './render-task.ts'
import type { SaleDeps, TaskContext, TaskMessage } from './task-context.ts'
import type { TextQuote } from './text-quote.ts'

/** A message that orders a check. Its values are in no other object. */
export interface Order extends TaskMessage {
  readonly ordered: Ordered
  /** Present for an order that was read from running text. */
  readonly asked?: TextQuote | undefined
}

/** The order as the counter takes it; the values are read already. */
export const decodedCallOf = ({ quote }: SaleDeps, { requestContext, ordered }: Order): DecodedCall => ({
  ...requestContext,
  order: readOrder(ordered, 'a2a', quote),
  input: undefined,
})

export const taskOf = (order: Order) => ({ memo: writeMemo(memoOf(order)) })

function memoOf({ contextId, requestContext, ordered: { shape, type, items } }: Order): Memo {
  const memo = { contextId, terms: offeredTerms(requestContext), channels: requestContext.asks.channels }
  return shape === 'single' ? memo : { ...memo, list: { type, items: items.length } }
}

export const payloadOf = (payment: RawPayment): unknown =>
  payment.kind === 'object' ? payment.payload : undefined

/** A task that is not stored has a new id. */
export async function showOrder(
  context: TaskContext,
  order: Order,
  taskState: RenderedState,
  taskId: string = newId(),
): Promise<Task> {
  const memo = await memoOfTask(context, taskId, order, taskState)
  const { skill } = order.ordered.items[0]
  const rendering = {
    taskId,
    ...memo,
    skill,
    quote: await decodedCallOf(context, order).order.quote(order.ordered.items.length),
    asked: order.asked,
  }
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
