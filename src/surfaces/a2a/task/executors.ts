/**
 * One executor per skill: turns an order with its value into a task.
 *
 * A payment header is answered as on REST. A client that knows in-band payment gets a task to pay for, or pays at once.
 * A client that shows neither gets an HTTP 402 with the terms.
 */
import { randomUUID } from 'node:crypto'
import type { Task } from '@a2a-js/sdk'
import {
  type HoldVerdict,
  type Proof,
  type Quote,
  type Sale,
  type Sell,
  type SurfaceName,
  singleCall,
  type Tasks,
  type ValueCall,
} from '../../../payments/sale.ts'
import type { Skill, SkillRegistry } from '../../../skills/skill.ts'
import { answerInBand, answerOverHttp, declinedFault } from '../reply/answer-sale.ts'
import { fault, type Outcome, result } from '../reply/outcome.ts'
import { offeredTerms } from '../request/offered-terms.ts'
import type { PaymentSignal } from '../request/payment-metadata.ts'
import { type Exchange, isVersion1 } from '../request/request-context.ts'
import { type Memo, readMemo, writeMemo } from './memo.ts'
import { renderTask, type ShownState } from './render-task.ts'
import type { UnpaidShares } from './unpaid-shares.ts'

export interface SaleDeps {
  readonly sell: Sell
  readonly holdVerdict: HoldVerdict
  readonly tasks: Tasks
  readonly quote: (skill: Skill, surface: SurfaceName) => Quote
}

/** An order for one check; the value is in no other object. */
export interface Order {
  readonly value: string
  readonly contextId: string
  readonly signal: PaymentSignal
  readonly exchange: Exchange
  readonly historyLength: number | undefined
}

export interface SkillExecutor {
  readonly skill: Skill
  execute(order: Order): Promise<Outcome>
}

/** Builds the executors of all skills, by skill id. */
export function skillExecutors(
  registry: SkillRegistry,
  deps: SaleDeps,
  shares: UnpaidShares,
): ReadonlyMap<string, SkillExecutor> {
  return new Map(registry.all.map((skill) => [skill.id, skillExecutor(skill, deps, shares)]))
}

function skillExecutor(
  skill: Skill,
  { sell, holdVerdict, tasks, quote: quoteOf }: SaleDeps,
  shares: UnpaidShares,
): SkillExecutor {
  const quote = quoteOf(skill, 'a2a')
  const callOf = ({ value, exchange }: Order): ValueCall =>
    singleCall({ skill, surface: 'a2a', value, client: exchange.client })
  const keptCallOf = (order: Order) => ({ ...callOf(order), task: { memo: writeMemo(memoOf(order)) } })

  async function show(
    order: Order,
    taskState: ShownState,
    taskId: string = randomUUID(),
  ): Promise<Outcome<Task>> {
    const memo = await memoOfTask(taskId, order, taskState)
    return result(renderTask({ taskId, ...memo, skill, quote }, taskState, order.historyLength))
  }

  /** A repeated order is answered from its first task, which may be in another context. */
  async function memoOfTask(taskId: string, order: Order, taskState: ShownState): Promise<Memo> {
    if (taskState.state !== 'sold' && taskState.state !== 'working') return memoOf(order)
    const view = await tasks.read(taskId).catch(() => null)
    return view === null ? memoOf(order) : readMemo(view.memo)
  }

  /** Without a payment the sale answers with the terms. */
  async function payByHttp(order: Order): Promise<Outcome> {
    const { proof, answer } = order.exchange
    const sale: Sale =
      proof.kind === 'repeated'
        ? { kind: 'unpaid', code: 'payment_malformed', quote }
        : await sell(proof.kind === 'none' ? callOf(order) : keptCallOf(order), proof)
    const translated = answerOverHttp(sale, answer, isVersion1(proof))
    return translated.kind === 'fault' ? translated : show(order, translated.taskState, taskIdOf(sale))
  }

  async function payInBand(order: Order, proof: Proof): Promise<Outcome> {
    const sale = await sell(keptCallOf(order), proof)
    const taskId = taskIdOf(sale)
    // Without a stored task to come back to, HTTP says "repeat it unchanged".
    if (sale.kind === 'declined' && taskId === undefined && RETRIED.has(sale.code)) {
      return fault(declinedFault(sale))
    }
    const payload = proof.kind === 'object' ? proof.payload : undefined
    const translated = answerInBand(sale, order.exchange, payload)
    return translated.kind === 'fault' ? translated : show(order, translated.taskState, taskId)
  }

  async function askInBand(order: Order): Promise<Outcome> {
    const { client, answer } = order.exchange
    let withheld = await holdVerdict(keptCallOf(order))
    if (withheld.kind === 'declined' && withheld.code === 'too_many_requests' && (await makeRoom())) {
      withheld = await holdVerdict(keptCallOf(order))
    }
    if (withheld.kind === 'declined') return fault(declinedFault(withheld))
    answer.outcome = 'payment_required'
    await Promise.all(shares.add(client, withheld.taskId).map((taskId) => tasks.cancel(taskId)))
    return show(order, { state: 'unpaid' }, withheld.taskId)
  }

  /** Ends the oldest unpaid task of the address with the most; false if no task can end. */
  async function makeRoom(): Promise<boolean> {
    for (let taskId = shares.evict(); taskId !== undefined; taskId = shares.evict()) {
      if (await tasks.cancel(taskId)) return true
    }
    return false
  }

  return {
    skill,
    execute(order) {
      const { exchange, signal } = order
      exchange.answer.type = skill.id
      const knowsInBand = exchange.extensions.length > 0 || signal.kind !== 'none'
      const { kind } = exchange.proof
      if (kind === 'text' || kind === 'repeated') return payByHttp(order)
      if (signal.kind === 'submitted') return payInBand(order, signal.proof)
      return knowsInBand ? askInBand(order) : payByHttp(order)
    },
  }
}

const memoOf = ({ contextId, exchange }: Order): Memo => ({ contextId, terms: offeredTerms(exchange) })

const RETRIED: ReadonlySet<string> = new Set([
  'payment_in_doubt',
  'facilitator_unavailable',
  'store_unavailable',
  'shutting_down',
])

function taskIdOf(sale: Sale): string | undefined {
  return sale.kind === 'unpaid' ? undefined : sale.taskId
}
