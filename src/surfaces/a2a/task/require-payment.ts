import type { Withheld } from '../../../payments/ports/task.ts'
import { hitsOf } from '../../call/counter.ts'
import { refusalFault } from '../reply/answer-sale.ts'
import { fault, type Outcome, result } from '../reply/outcome.ts'
import { type Order, storedCallOf } from './order.ts'
import type { RenderedState } from './render-task.ts'
import { showOrder } from './show-order.ts'
import type { TaskContext } from './task-context.ts'

/**
 * Stores the order as a task in the state "input required": the input is a payment in the next message. `refused` if a payment
 * came with the order, for which the request is counted once already.
 */
export async function requirePayment(
  context: TaskContext,
  order: Order,
  refused?: RenderedState,
): Promise<Outcome> {
  const { counter, shares, tasks } = context
  const { res, attempt } = order.requestContext
  const client = counter.clientOf(res)
  const call = storedCallOf(order, client)
  const withheld = await hold(context, call)
  if (withheld.kind === 'declined') return fault(refusalFault(withheld))
  const values = order.ordered.items.length
  const times = hitsOf(values)
  if (refused === undefined) counter.count(res, attempt, 'payment_required', { times })
  else counter.count(res, attempt, undefined, { times: times - 1, isQuote: true })
  const ended = shares.add(client, withheld.taskId, values)
  await Promise.all(ended.map((taskId) => tasks.cancel(taskId)))
  return result(await showOrder(context, order, refused ?? { state: 'unpaid' }, withheld.taskId))
}

/** Ends an older unpaid task if the store is full, and tries once more. */
async function hold(context: TaskContext, call: ReturnType<typeof storedCallOf>): Promise<Withheld> {
  const withheld = await context.holdVerdict(call)
  const isFull = withheld.kind === 'declined' && withheld.code === 'too_many_requests'
  return isFull && (await makeRoom(context)) ? context.holdVerdict(call) : withheld
}

/** Returns false if no unpaid task could be ended. */
async function makeRoom({ shares, tasks }: TaskContext): Promise<boolean> {
  for (let taskId = shares.evict(); taskId !== undefined; taskId = shares.evict()) {
    if (await tasks.cancel(taskId)) return true
  }
  return false
}
