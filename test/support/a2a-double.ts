/**
 * The payment layer in memory, for tests of the A2A surface alone: it quotes, sells once, replays, seals and
 * keeps tasks by the same contract, and runs the real checks, but moves no money and verifies no signature.
 */
import { randomUUID } from 'node:crypto'
import { encodePaymentRequiredHeader } from '@x402/core/http'
import type { PaymentRequired, SettleResponse } from '@x402/core/types'
import type { Skill } from '../../src/catalog/skill.ts'
import { ERRORS, type ErrorCode, type UnpaidCode } from '../../src/errors.ts'
import { resultJsonOf } from '../../src/payments/ports/result-json.ts'
import type {
  Declined,
  Items,
  Purchase,
  Quote,
  RawPayment,
  Sale,
  Sell,
  Sold,
  Verdicts,
} from '../../src/payments/ports/sale.ts'
import type { HoldVerdict, Tasks, TaskView } from '../../src/payments/ports/task.ts'
import type { QuoteBook } from '../../src/payments/terms/quotes.ts'
import { realRegistry } from './registry.ts'

const NETWORK = 'eip155:8453'
const PAY_TO = `0x${'44'.repeat(20)}`

/** A quote that stands for the real one. */
export function quoteFor(skill: Pick<Skill, 'summary'>, items = 1): Quote {
  const required = (code: UnpaidCode): PaymentRequired => ({
    x402Version: 2,
    error: code === 'payment_required' ? ERRORS[code].title : `${code}: ${ERRORS[code].detail}`,
    resource: { url: 'https://checks.example/a2a', description: skill.summary, mimeType: 'application/json' },
    accepts: [
      {
        scheme: 'exact',
        network: NETWORK,
        asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
        amount: String(items * 1000),
        payTo: PAY_TO,
        maxTimeoutSeconds: 120,
        extra: { name: 'USD Coin', version: '2' },
      },
    ],
  })
  return { required, header: (code) => encodePaymentRequiredHeader(required(code)) }
}

/** What the double answers to the next payment instead of settling it. */
export type Script = UnpaidCode | Declined['code'] | 'defect'

interface KeptTask {
  readonly pendingOrder: string
  readonly skill: Skill
  readonly items: Items
  readonly verdicts: Verdicts
  state: 'unpaid' | 'working' | 'sold' | 'failed' | 'canceled'
  nonce?: string
  code?: ErrorCode
}

/** What a payment is asked for. */
interface Subject {
  readonly skill: Skill
  readonly items: Items
  readonly taskId: string
}

interface Row {
  readonly skill: Skill
  readonly items: Items
  readonly taskId: string
  readonly nonce: string
  readonly settlement: SettleResponse
}

interface Payment {
  readonly x402Version?: number
  /** Version 1 only. */
  readonly network?: string
  readonly accepted?: { readonly network?: string; readonly amount?: string; readonly payTo?: string }
  readonly payload?: { readonly authorization?: { readonly nonce?: string; readonly from?: string } }
}

export interface A2aDouble {
  readonly sell: Sell
  readonly holdVerdict: HoldVerdict
  readonly tasks: Tasks
  readonly quote: QuoteBook
  /** Everything the double holds, for canary hunts. */
  kept(): string
  /** Calls of the door to money that brought a payment. */
  readonly attempts: RawPayment[]
  /** How many payments were settled. */
  settlements: number
  delivered: number
  /** Answers to come, in order; a payment beyond them is settled. */
  readonly script: Script[]
  /** What a refusal of the script names as settled or tried. */
  settlement?: SettleResponse
  /** True while the store does not answer. */
  readonly down: { store: boolean }
  /** Lets the life of every unpaid task be over. */
  expire(): void
  /** Settles what was left in doubt. */
  resolve(): void
}

export interface DoubleOptions {
  /** Unpaid tasks alive at once; any number by default. */
  readonly capacity?: number
  readonly newTaskId?: () => string
  readonly storeUnavailable: () => Error
}

/** Builds the double. */
export function a2aDouble({
  capacity = Number.POSITIVE_INFINITY,
  newTaskId = randomUUID,
  storeUnavailable,
}: DoubleOptions): A2aDouble {
  const tasks = new Map<string, KeptTask>()
  const rows = new Map<string, Row>()
  const keep = (taskId: string, { pendingOrder }: Pick<KeptTask, 'pendingOrder'>, items: Items) =>
    tasks.set(taskId, {
      ...{ pendingOrder, items, verdicts: checked(items) },
      ...{ skill: items[0].skill, state: 'unpaid' },
    })

  const answerOnce = async (subject: Subject, rawPayment: RawPayment): Promise<Sale> => {
    const quote = quoteFor(subject.skill, subject.items.length)
    const unpaid = (code: UnpaidCode): Sale => ({ kind: 'unpaid', code, quote })
    const payment = paymentOf(rawPayment)
    const nonce = payment?.payload?.authorization?.nonce
    if (payment?.x402Version === undefined || nonce === undefined) return unpaid('payment_malformed')
    if (!fitsTerms(payment, quote)) return unpaid('payment_terms_mismatch')
    const row = rows.get(nonce)
    if (row !== undefined) return known(row, subject)
    const task = tasks.get(subject.taskId)
    if (task?.nonce !== undefined && task.nonce !== nonce)
      return { kind: 'declined', code: 'payment_already_used' }
    const next = double.script.shift()
    if (next === 'defect') throw new Error(`a defect that quotes the value: ${subject.items[0].value}`)
    if (next === 'payment_in_doubt') {
      if (task !== undefined) {
        task.state = 'working'
        task.nonce = nonce
        rows.set(nonce, rowOf(subject, payment))
      }
      return { kind: 'declined', code: next, retryAfterSeconds: 5, taskId: subject.taskId }
    }
    if (next !== undefined) {
      const receipt = double.settlement === undefined ? {} : { settlement: double.settlement }
      return next.startsWith('payment_') && ERRORS[next].status === 402
        ? { ...unpaid(next as UnpaidCode), ...receipt }
        : { kind: 'declined', code: next as Declined['code'], ...receipt }
    }
    double.settlements++
    const settled = rowOf(subject, payment)
    rows.set(nonce, settled)
    if (task !== undefined) Object.assign(task, { state: 'sold', nonce })
    return soldOf(settled, false)
  }

  const known = (row: Row, subject: Subject): Sale => {
    if (spelt(row.items) !== spelt(subject.items)) return { kind: 'declined', code: 'payment_already_used' }
    if (tasks.get(row.taskId)?.state === 'working')
      return { kind: 'declined', code: 'payment_in_doubt', taskId: row.taskId }
    return soldOf(row, true)
  }

  const soldOf = (row: Row, replayed: boolean): Sold => ({
    kind: 'sold',
    verdicts: checked(row.items),
    json: resultJsonOf(row.items.length === 1 ? 'single' : 'list', () => checked(row.items)),
    settlement: row.settlement,
    authorization: row.nonce,
    replayed,
    rulesetChanged: false,
    delivered: () => void double.delivered++,
    taskId: row.taskId,
  })

  const double: A2aDouble = {
    quote: {
      single: (skill) => quoteFor(skill),
      of: async ({ shape, type, items }: Purchase) =>
        quoteFor((shape === 'single' && realRegistry().get(type)) || { summary: type }, items),
    },
    attempts: [],
    settlements: 0,
    delivered: 0,
    script: [],
    down: { store: false },
    kept: () =>
      JSON.stringify(
        [...tasks].map(([id, { pendingOrder, verdicts, state }]) => [id, pendingOrder, verdicts, state]),
      ),

    async sell(call, rawPayment) {
      if (call.kind === 'value' && rawPayment.kind === 'none') {
        return {
          kind: 'unpaid',
          code: 'payment_required',
          quote: quoteFor(call.items[0].skill, call.items.length),
        }
      }
      double.attempts.push(rawPayment)
      if (double.down.store) return { kind: 'declined', code: 'store_unavailable', retryAfterSeconds: 10 }
      if (call.kind === 'sealed') {
        const task = tasks.get(call.taskId)
        if (task === undefined || task.state === 'failed' || task.state === 'canceled') {
          return { kind: 'declined', code: 'task_not_found' }
        }
        return answerOnce({ skill: task.skill, items: task.items, taskId: call.taskId }, rawPayment)
      }
      // As in the real thing, the id follows from the authorization, so a repeat finds the same task.
      const nonce = paymentOf(rawPayment)?.payload?.authorization?.nonce ?? newTaskId()
      const taskId = rows.get(nonce)?.taskId ?? newTaskId()
      const { task, items } = call
      const [{ skill }] = items
      const isNew = task !== undefined && !tasks.has(taskId)
      if (isNew) keep(taskId, task, items)
      const sale = await answerOnce({ skill, items, taskId }, rawPayment)
      if (isNew && sale.kind !== 'sold' && sale.kind === 'unpaid') tasks.delete(taskId)
      return sale
    },

    async holdVerdict({ items, task }) {
      const [{ skill }] = items
      if (double.down.store) return { kind: 'declined', code: 'store_unavailable' }
      const unpaidTasks = [...tasks.values()].filter(({ state }) => state === 'unpaid')
      if (unpaidTasks.length >= capacity) {
        return { kind: 'declined', code: 'too_many_requests' }
      }
      const taskId = newTaskId()
      keep(taskId, task, items)
      return {
        kind: 'withheld',
        taskId,
        quote: quoteFor(skill, items.length),
        expiresAt: Date.now() + 600_000,
      }
    },

    tasks: {
      async pendingOrder(taskId) {
        if (double.down.store) throw storeUnavailable()
        return tasks.get(taskId)?.pendingOrder ?? null
      },
      async read(taskId): Promise<TaskView | null> {
        if (double.down.store) throw storeUnavailable()
        const task = tasks.get(taskId)
        if (task === undefined) return null
        const { pendingOrder, skill, items, state, verdicts } = task
        const frame = { pendingOrder, skill, quote: quoteFor(skill, items.length) }
        const settlement = rows.get(task.nonce ?? '')?.settlement
        if (state === 'sold' && settlement !== undefined) return { ...frame, state, verdicts, settlement }
        if (state === 'failed') return { ...frame, state, code: task.code ?? 'payment_refused' }
        return { ...frame, state: state === 'sold' ? 'working' : state }
      },
      cancel: async (taskId) => end(taskId, { state: 'canceled' }),
      fail: async (taskId, code) => end(taskId, { state: 'failed', code }),
    },

    expire() {
      for (const [id, { state }] of tasks) if (state === 'unpaid') tasks.delete(id)
    },
    resolve() {
      for (const task of tasks.values()) if (task.state === 'working') task.state = 'sold'
    },
  }

  const end = (taskId: string, change: Pick<KeptTask, 'state' | 'code'>): boolean => {
    const task = tasks.get(taskId)
    if (task?.state !== 'unpaid') return false
    Object.assign(task, change)
    return true
  }

  return double
}

const checked = (items: Items): Verdicts =>
  items.map(({ skill, value }) => skill.check(value)) as unknown as Verdicts

const spelt = (items: Items): string => JSON.stringify(items.map(({ skill, value }) => [skill.id, value]))

/** Version 1 names scheme and network only. */
function fitsTerms({ x402Version, network, accepted = {} }: Payment, quote: Quote): boolean {
  if (x402Version === 1) return network === 'base'
  const [terms] = quote.required('payment_required').accepts
  const { amount, payTo } = accepted
  return accepted.network === terms?.network && amount === terms?.amount && payTo === terms?.payTo
}

function rowOf({ skill, items, taskId }: Subject, payment: Payment): Row {
  const payer = payment.payload?.authorization?.from ?? `0x${'12'.repeat(20)}`
  const transaction = `0x${'ab'.repeat(32)}`
  const nonce = payment.payload?.authorization?.nonce ?? ''
  return { skill, items, taskId, nonce, settlement: { success: true, transaction, network: NETWORK, payer } }
}

function paymentOf(rawPayment: RawPayment): Payment | undefined {
  if (rawPayment.kind === 'object') return (rawPayment.payload ?? undefined) as Payment | undefined
  if (rawPayment.kind !== 'text') return undefined
  try {
    return JSON.parse(Buffer.from(rawPayment.text, 'base64').toString()) as Payment
  } catch {
    return undefined
  }
}

/** The same authorization as a version 1 wallet sends it. */
export function asVersion1(payment: object): object {
  const { payload } = payment as Payment
  return { x402Version: 1, scheme: 'exact', network: 'base', payload }
}

/** A payload as a wallet makes it for a quote, under a fresh nonce. */
export function fakePayment(required: PaymentRequired, change: Partial<Payment> = {}): object {
  const nonce = `0x${randomUUID().replaceAll('-', '').repeat(2)}`
  return {
    x402Version: 2,
    resource: required.resource,
    accepted: required.accepts[0],
    payload: { signature: `0x${'1b'.repeat(65)}`, authorization: { from: `0x${'12'.repeat(20)}`, nonce } },
    ...change,
  }
}
