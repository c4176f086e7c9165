/**
 * One executor per skill: takes an order with its value to a task, by the way of payment the client shows.
 *
 * A payment header is answered as on REST. A client that knows of payment inside messages gets a task to pay
 * for, or pays at once. One that shows neither gets an HTTP 402 with the terms.
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
import type { PaymentSignal } from '../request/payment-metadata.ts'
import type { Exchange } from '../request/request-context.ts'
import { contextOf, writeMemo } from './memo.ts'
import { renderTask, type Standing } from './render-task.ts'

export interface SaleDeps {
  readonly sell: Sell
  readonly holdVerdict: HoldVerdict
  readonly tasks: Tasks
  readonly quote: (skill: Skill, surface: SurfaceName) => Quote
}

/** An order for one check; the value lives in this object and in no other place. */
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
export function skillExecutors(registry: SkillRegistry, deps: SaleDeps): ReadonlyMap<string, SkillExecutor> {
  return new Map(registry.all.map((skill) => [skill.id, skillExecutor(skill, deps)]))
}

function skillExecutor(skill: Skill, { sell, holdVerdict, tasks, quote: quoteOf }: SaleDeps): SkillExecutor {
  const quote = quoteOf(skill, 'a2a')
  const callOf = ({ value }: Order): ValueCall => singleCall({ skill, surface: 'a2a', value })
  const keptCallOf = (order: Order) => ({ ...callOf(order), task: { memo: writeMemo(order.contextId) } })

  async function show(
    order: Order,
    standing: Standing,
    taskId: string = randomUUID(),
  ): Promise<Outcome<Task>> {
    const contextId = await contextOfTask(taskId, order, standing)
    return result(renderTask({ taskId, contextId, skill, quote }, standing, order.historyLength))
  }

  /** A repeated order is answered from its first task, which may have been made in another context. */
  async function contextOfTask(taskId: string, { contextId }: Order, standing: Standing): Promise<string> {
    if (standing.state !== 'sold' && standing.state !== 'working') return contextId
    const view = await tasks.read(taskId).catch(() => null)
    return view === null ? contextId : contextOf(view.memo)
  }

  /** Also for who pays nothing: the sale then answers with the terms. */
  async function payByHttp(order: Order): Promise<Outcome> {
    const { proof, answer } = order.exchange
    const sale: Sale =
      proof.kind === 'repeated'
        ? { kind: 'unpaid', code: 'payment_malformed', quote }
        : await sell(proof.kind === 'none' ? callOf(order) : keptCallOf(order), proof)
    const translated = answerOverHttp(sale, answer)
    return translated.kind === 'fault' ? translated : show(order, translated.standing, taskIdOf(sale))
  }

  async function payInBand(order: Order, proof: Proof): Promise<Outcome> {
    const sale = await sell(keptCallOf(order), proof)
    const taskId = taskIdOf(sale)
    // Without a task to come back to, "repeat it unchanged" is said by HTTP.
    if (sale.kind === 'declined' && taskId === undefined && RETRIED.has(sale.code)) {
      return fault(declinedFault(sale))
    }
    const payload = proof.kind === 'object' ? proof.payload : undefined
    const translated = answerInBand(sale, order.exchange, payload)
    return translated.kind === 'fault' ? translated : show(order, translated.standing, taskId)
  }

  async function askInBand(order: Order): Promise<Outcome> {
    const withheld = await holdVerdict(keptCallOf(order))
    if (withheld.kind === 'declined') return fault(declinedFault(withheld))
    order.exchange.answer.outcome = 'payment_required'
    return show(order, { state: 'unpaid' }, withheld.taskId)
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

const RETRIED: ReadonlySet<string> = new Set([
  'payment_in_doubt',
  'facilitator_unavailable',
  'store_unavailable',
  'shutting_down',
])

function taskIdOf(sale: Sale): string | undefined {
  return sale.kind === 'unpaid' ? undefined : sale.taskId
}
