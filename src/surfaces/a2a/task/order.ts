import type { ValueCall } from '../../../payments/ports/sale.ts'
import type { HoldVerdict } from '../../../payments/ports/task.ts'
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

export function callOf({ ordered, requestContext }: Order): ValueCall {
  return { kind: 'value', surface: 'a2a', client: requestContext.client, ...ordered }
}

export function storedCallOf(order: Order): Parameters<HoldVerdict>[0] {
  return { ...callOf(order), task: { memo: writeMemo(memoOf(order)) } }
}

export function memoOf({ contextId, requestContext, ordered: { shape, type, items } }: Order): Memo {
  const memo = { contextId, terms: offeredTerms(requestContext), channels: requestContext.channels }
  return shape === 'single' ? memo : { ...memo, list: { type, items: items.length } }
}

export const quoteOf = ({ quote }: SaleDeps, { ordered: { shape, type, items } }: Order) =>
  quote.of({ shape, type, items: items.length }, 'a2a')
