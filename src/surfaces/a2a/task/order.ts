import type { RawPayment } from '../../../payments/ports/sale.ts'
import type { HoldVerdict } from '../../../payments/ports/task.ts'
import { readOrder } from '../../../payments/terms/orders.ts'
import type { DecodedCall } from '../../call/counter.ts'
import { offeredTerms } from '../request/offered-terms.ts'
import type { Ordered } from '../request/route-skill.ts'
import { type Memo, writeMemo } from './memo.ts'
import type { SaleDeps, TaskMessage } from './task-context.ts'
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

export const storedCallOf = (order: Order, client: string): Parameters<HoldVerdict>[0] => ({
  ...{ kind: 'value', surface: 'a2a', client, ...order.ordered },
  task: taskOf(order),
})

export function memoOf({ contextId, requestContext, ordered: { shape, type, items } }: Order): Memo {
  const memo = { contextId, terms: offeredTerms(requestContext), channels: requestContext.asks.channels }
  return shape === 'single' ? memo : { ...memo, list: { type, items: items.length } }
}

export const quoteOf = ({ quote }: SaleDeps, { ordered: { shape, type, items } }: Order) =>
  quote.of({ shape, type, items: items.length }, 'a2a')

export const payloadOf = (payment: RawPayment): unknown =>
  payment.kind === 'object' ? payment.payload : undefined
