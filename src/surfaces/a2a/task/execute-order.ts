/**
 * Turns an order with its values into a task.
 *
 * A payment header is answered as on REST. A client that knows in-band payment gets a task to pay for, or pays at once.
 * A client that shows neither gets an HTTP 402 with the terms.
 */

import type { Task } from '@a2a-js/sdk'
import { v4 as newId } from 'uuid'
import type { PurchaseType } from '../../../ledger/payment-row.ts'
import type { Quote, RawPayment, Sale, Sell, SurfaceName, ValueCall } from '../../../payments/sale.ts'
import type { HoldVerdict, Tasks } from '../../../payments/task.ts'
import type { Skill } from '../../../skills/skill.ts'
import { answerInBand, answerOverHttp, declinedFault } from '../reply/answer-sale.ts'
import { fault, type Outcome, result } from '../reply/outcome.ts'
import { invalidParams } from '../reply/rpc-error.ts'
import { offeredTerms } from '../request/offered-terms.ts'
import type { PaymentSignal } from '../request/payment-metadata.ts'
import { isVersion1, limiterWeight, type RequestContext } from '../request/request-context.ts'
import type { Ordered } from '../request/route-skill.ts'
import { type Memo, readMemo, writeMemo } from './memo.ts'
import { renderTask, type ShownState } from './render-task.ts'
import type { UnpaidShares } from './unpaid-shares.ts'

export interface SaleDeps {
  readonly sell: Sell
  readonly holdVerdict: HoldVerdict
  readonly tasks: Tasks
  readonly quote: (skill: Skill, surface: SurfaceName) => Quote
  readonly quoteList: (type: PurchaseType, items: number, surface: SurfaceName) => Promise<Quote>
}

/** An order; its values are in no other object. */
export interface Order {
  readonly ordered: Ordered
  readonly contextId: string
  readonly signal: PaymentSignal
  readonly requestContext: RequestContext
  readonly historyLength: number | undefined
}

/** Values of a list that is stored with its results; a longer one is answered but not kept as a task. */
const MOST_STORED_VALUES = 100

/** Builds the executor of orders. */
export function orderExecutor(
  { sell, holdVerdict, tasks, quote, quoteList }: SaleDeps,
  shares: UnpaidShares,
): (order: Order) => Promise<Outcome> {
  const quoteOf = async ({ ordered: { shape, type, items } }: Order): Promise<Quote> =>
    shape === 'single' ? quote(items[0].skill, 'a2a') : quoteList(type, items.length, 'a2a')
  const callOf = ({ ordered, requestContext }: Order): ValueCall => ({
    kind: 'value',
    surface: 'a2a',
    client: requestContext.client,
    ...ordered,
  })
  const storedCallOf = (order: Order) => ({ ...callOf(order), task: { memo: writeMemo(memoOf(order)) } })

  async function show(order: Order, taskState: ShownState, taskId: string = newId()): Promise<Outcome<Task>> {
    const memo = await memoOfTask(taskId, order, taskState)
    const { skill } = order.ordered.items[0]
    const shown = { taskId, ...memo, skill, quote: await quoteOf(order) }
    return result(renderTask(shown, taskState, order.historyLength))
  }

  /** A repeated order is answered from its first task, which may be in another context. */
  async function memoOfTask(taskId: string, order: Order, taskState: ShownState): Promise<Memo> {
    if (taskState.state !== 'sold' && taskState.state !== 'working') return memoOf(order)
    const view = await tasks.read(taskId).catch(() => null)
    return view === null ? memoOf(order) : readMemo(view.memo)
  }

  /** Without a payment the sale answers with the terms. */
  async function payByHttp(order: Order): Promise<Outcome> {
    const { rawPayment, answer } = order.requestContext
    const isStored = rawPayment.kind !== 'none' && order.ordered.items.length <= MOST_STORED_VALUES
    const sale: Sale =
      rawPayment.kind === 'repeated'
        ? { kind: 'unpaid', code: 'payment_malformed', quote: await quoteOf(order) }
        : await sell(isStored ? storedCallOf(order) : callOf(order), rawPayment)
    const translated = answerOverHttp(sale, answer, isVersion1(rawPayment))
    return translated.kind === 'fault' ? translated : show(order, translated.taskState, taskIdOf(sale))
  }

  async function payInBand(order: Order, rawPayment: RawPayment): Promise<Outcome> {
    const sale = await sell(storedCallOf(order), rawPayment)
    const taskId = taskIdOf(sale)
    // Without a stored task to come back to, HTTP says "repeat it unchanged".
    if (sale.kind === 'declined' && taskId === undefined && RETRIED.has(sale.code)) {
      return fault(declinedFault(sale))
    }
    const payload = rawPayment.kind === 'object' ? rawPayment.payload : undefined
    const translated = answerInBand(sale, order.requestContext, payload)
    if (translated.kind === 'fault') return translated
    const { taskState } = translated
    // A task to be paid for by the next message must be in the store.
    return taskState.state === 'unpaid' ? askInBand(order, taskState) : show(order, taskState, taskId)
  }

  async function askInBand(order: Order, unpaid: ShownState = { state: 'unpaid' }): Promise<Outcome> {
    const { client, answer } = order.requestContext
    const { length } = order.ordered.items
    let withheld = await holdVerdict(storedCallOf(order))
    if (withheld.kind === 'declined' && withheld.code === 'too_many_requests' && (await makeRoom())) {
      withheld = await holdVerdict(storedCallOf(order))
    }
    if (withheld.kind === 'declined') return fault(declinedFault(withheld))
    answer.outcome ??= 'payment_required'
    answer.weight = limiterWeight(length)
    const ended = shares.add(client, withheld.taskId, length)
    await Promise.all(ended.map((taskId) => tasks.cancel(taskId)))
    return show(order, unpaid, withheld.taskId)
  }

  /** Ends the oldest unpaid task of the address with the most; false if no task can end. */
  async function makeRoom(): Promise<boolean> {
    for (let taskId = shares.evict(); taskId !== undefined; taskId = shares.evict()) {
      if (await tasks.cancel(taskId)) return true
    }
    return false
  }

  return async function execute(order) {
    const { requestContext, signal, ordered } = order
    requestContext.answer.type = ordered.type
    const knowsInBand = requestContext.extensions.length > 0 || signal.kind !== 'none'
    const { kind } = requestContext.rawPayment
    if (kind === 'text' || kind === 'repeated' || !knowsInBand) return payByHttp(order)
    if (ordered.items.length > MOST_STORED_VALUES) return TOO_LONG_IN_BAND
    return signal.kind === 'submitted' ? payInBand(order, signal.rawPayment) : askInBand(order)
  }
}

const TOO_LONG_IN_BAND = fault(
  invalidParams(
    'message.parts',
    `may have at most ${MOST_STORED_VALUES} values if the payment travels in the message; 1,000 if it is in a PAYMENT-SIGNATURE header and no x402 extension is activated`,
    'list_too_long',
  ),
)

function memoOf({ contextId, requestContext, ordered: { shape, type, items } }: Order): Memo {
  const memo = { contextId, terms: offeredTerms(requestContext) }
  return shape === 'single' ? memo : { ...memo, list: { type, items: items.length } }
}

const RETRIED: ReadonlySet<string> = new Set([
  'payment_in_doubt',
  'facilitator_unavailable',
  'store_unavailable',
  'shutting_down',
])

function taskIdOf(sale: Sale): string | undefined {
  return sale.kind === 'unpaid' ? undefined : sale.taskId
}
