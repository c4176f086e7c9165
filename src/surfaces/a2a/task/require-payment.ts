import type { Withheld } from '../../../payments/ports/task.ts'
import { declinedFault } from '../reply/answer-sale.ts'
import { fault, type Outcome } from '../reply/outcome.ts'
import { limiterWeight } from '../request/request-context.ts'
import { type Order, storedCallOf } from './order.ts'
import type { RenderedState } from './render-task.ts'
import { showOrder } from './show-order.ts'
import type { TaskContext } from './task-context.ts'

/** Stores the order as a task in the state "input required": the input is a payment in the next message. */
export async function requirePayment(
  context: TaskContext,
  order: Order,
  unpaid: RenderedState = { state: 'unpaid' },
): Promise<Outcome> {
  const withheld = await hold(context, order)
  if (withheld.kind === 'declined') return fault(declinedFault(withheld))
  const { client, answer } = order.requestContext
  const values = order.ordered.items.length
  answer.outcome ??= 'payment_required'
  answer.weight = limiterWeight(values)
  const ended = context.shares.add(client, withheld.taskId, values)
  await Promise.all(ended.map((taskId) => context.tasks.cancel(taskId)))
  return showOrder(context, order, unpaid, withheld.taskId)
}

/** Ends an older unpaid task if the store is full, and tries once more. */
async function hold(context: TaskContext, order: Order): Promise<Withheld> {
  const withheld = await context.holdVerdict(storedCallOf(order))
  const isFull = withheld.kind === 'declined' && withheld.code === 'too_many_requests'
  return isFull && (await makeRoom(context)) ? context.holdVerdict(storedCallOf(order)) : withheld
}

/** Returns false if no unpaid task could be ended. */
async function makeRoom({ shares, tasks }: TaskContext): Promise<boolean> {
  for (let taskId = shares.evict(); taskId !== undefined; taskId = shares.evict()) {
    if (await tasks.cancel(taskId)) return true
  }
  return false
}
