import type { Withheld } from '../../../payments/ports/task.ts'
import { declinedFault } from '../reply/answer-sale.ts'
import { fault, type Outcome } from '../reply/outcome.ts'
import { limiterWeight } from '../request/request-context.ts'
import { type Order, storedCallOf } from './order.ts'
import type { RenderedState } from './render-task.ts'
import { showOrder } from './show-order.ts'
import type { TaskContext } from './task-context.ts'

/** Stores the order as a task that requires input: the payment, in the client's next message. */
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

/** Tries once more in a full store, after an older unpaid task has ended. */
async function hold(context: TaskContext, order: Order): Promise<Withheld> {
  const withheld = await context.holdVerdict(storedCallOf(order))
  const isFull = withheld.kind === 'declined' && withheld.code === 'too_many_requests'
  return isFull && (await makeRoom(context)) ? context.holdVerdict(storedCallOf(order)) : withheld
}

/** Ends the oldest unpaid task of the address with the most; false if no task can end. */
async function makeRoom({ shares, tasks }: TaskContext): Promise<boolean> {
  for (let taskId = shares.evict(); taskId !== undefined; taskId = shares.evict()) {
    if (await tasks.cancel(taskId)) return true
  }
  return false
}
