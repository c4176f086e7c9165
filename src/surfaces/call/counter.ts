/**
 * The one counter through which every executor sells.
 *
 * What is a rule of requests is here: their limits, their log, and what a payment gives back.
 */
import type { ServerResponse } from 'node:http'
import { boundedCache } from '../../caches/bounded-cache.ts'
import type { ListReading } from '../../catalog/validate-list.ts'
import type { ErrorCode } from '../../errors.ts'
import { setAccessLogFields } from '../../http/access-log-fields.ts'
import { logDefect } from '../../http/error-handler.ts'
import type { PaymentHeader } from '../../http/headers/payment-header.ts'
import { type Attempt, attemptOf, type UnpaidLimiter } from '../../http/limits/unpaid-limiter.ts'
import type { UnexpectedErrorLog } from '../../http/unexpected-error.ts'
import type { PurchaseType } from '../../ledger/payments/payment-row.ts'
import { consequenceOf, retryAfterOf } from '../../payments/ports/consequences.ts'
import type {
  Declined,
  Quote,
  RawPayment,
  Sale,
  Sell,
  SurfaceName,
  Unpaid,
  ValueCall,
} from '../../payments/ports/sale.ts'
import { quoteFor } from '../../payments/terms/quote-for.ts'
import type { DeclinedReply, Reply } from './reply.ts'

export interface CounterDeps {
  readonly sell: Sell
  readonly limiter: UnpaidLimiter
  readonly log: UnexpectedErrorLog
}

/** What a client sent with its request, as the surface decoded it; nothing of it is validated. */
export interface Client {
  readonly payment: PaymentHeader | RawPayment
  /** Over REST the address says it. */
  readonly asksForAllSchemes?: boolean
  /** By which the request is counted and logged. */
  readonly res: ServerResponse
}

/** A client and how it came; the task is present if the protocol keeps the call as one. */
export interface Caller extends Client, Pick<ValueCall, 'surface' | 'task'> {}

export interface ReadableCall extends Pick<ValueCall, 'shape' | 'type'> {
  readonly read: () => ListReading
  /** Looked up for each call, because quotes are renewed. */
  readonly quote: (items: number) => Promise<Quote>
}

export interface DecodedTask extends Client {
  readonly taskId: string
  readonly surface: SurfaceName
  readonly type: PurchaseType
  readonly values: number
  readonly quote: Quote
}

export interface Weight {
  /** How often the request counts in all; once by default. */
  readonly times?: number
  /** What a sale may give back of it; by default a quote for the code `payment_required`. */
  readonly kind?: 'quote' | 'free'
}

export interface Counter {
  /** Undefined if it may go on. */
  admit(res: ServerResponse, attempt: Attempt): Declined | undefined
  /** Counts a request that brings no money, and logs the code of its answer. A request that was counted is not counted again. */
  count(res: ServerResponse, attempt: Attempt, code?: ErrorCode, weight?: Weight): void
  /** Takes the count of a request back that turned out to be about a payment of its client. */
  forgive(res: ServerResponse): void
  /** Reads, quotes and sells. From here on the work continues if the client disconnects: the buyer may be charged. */
  sell(call: ReadableCall, caller: Caller): Promise<Reply>
  sellTask(task: DecodedTask): Promise<Reply>
  /** Ends a request that buys no check; without a payment its answer has the terms. */
  settle(
    outcome: Unpaid | Declined,
    client: Omit<Client, 'payment'> & Partial<Client>,
  ): Unpaid | DeclinedReply
  clientOf(res: ServerResponse): string
}

/** Set on an answer: how often its request was counted. */
const TIMES = Symbol('counted')

type Counted = ServerResponse & { [TIMES]?: number }

/** Authorizations and tasks whose quote was given back. One that is forgotten can give back one more quote. */
const MOST_REMEMBERED = 100_000

export function createCounter({ sell, limiter, log }: CounterDeps): Counter {
  const givenBack = boundedCache<true>(MOST_REMEMBERED)

  const count: Counter['count'] = (res: Counted, attempt, code, weight = {}) => {
    const { times = 1, kind = code === 'payment_required' ? 'quote' : undefined } = weight
    const before = res[TIMES] ?? 0
    res[TIMES] = Math.max(before, times)
    if (code !== undefined) setAccessLogFields(res, { code })
    if (code !== undefined && !consequenceOf(code).counted) return
    for (let n = before; n < times; n++) limiter.hit(res.req, attempt, kind)
  }

  const fail = (error: unknown, res: ServerResponse): Reply => {
    logDefect(log, res, error)
    count(res, 'unpaid', 'internal_error')
    return { kind: 'refused', code: 'internal_error' }
  }

  const settle: Counter['settle'] = (outcome, { payment = NO_PAYMENT, asksForAllSchemes, res }) => {
    count(res, attemptOf(payment), outcome.code)
    if (outcome.kind === 'unpaid') return { ...outcome, quote: quoteFor(outcome.quote, asksForAllSchemes) }
    const retryAfterSeconds = retryAfterOf(outcome)
    return retryAfterSeconds === undefined ? outcome : { ...outcome, retryAfterSeconds }
  }

  /**
   * `quote` of the call, for outcomes after which the client may pay for it again. The quote it was counted for is given back
   * once the answer is delivered, for a task as often as its order was counted, and so are free calls before it: until then
   * new authorizations for the same call are answered for free.
   */
  const buy = async (
    call: Parameters<Sell>[0],
    client: Client,
    quote: () => Promise<Quote>,
    task?: { readonly taskId: string; readonly asked: number },
  ): Promise<Reply> => {
    const { payment } = client
    const sale: Sale =
      payment.kind === 'repeated'
        ? { kind: 'unpaid', code: 'payment_malformed', quote: await quote() }
        : await sell(call, payment)
    if (sale.kind === 'sold') {
      const { authorization } = sale
      setAccessLogFields(client.res, { code: sale.replayed ? 'replayed' : 'sold' })
      if (authorization === undefined) return sale
      const { taskId = authorization, asked = 1 } = task ?? {}
      const delivered = () => {
        sale.delivered()
        const isRepeat = givenBack.has(authorization) || givenBack.has(taskId)
        givenBack.set(authorization, true)
        givenBack.set(taskId, true)
        if (!isRepeat) limiter.giveBack(client.res.req, asked)
      }
      return { ...sale, delivered }
    }
    const reply = settle(sale, client)
    if (sale.kind === 'unpaid' || sale.final !== true) return reply
    return { ...reply, quote: quoteFor(await quote(), client.asksForAllSchemes) }
  }

  return {
    count,
    settle,
    clientOf: ({ req }) => limiter.clientOf(req),
    admit(res, attempt) {
      const retryAfterSeconds = limiter.blocked(res.req, attempt)
      if (retryAfterSeconds === undefined) return undefined
      setAccessLogFields(res, { code: 'too_many_requests' })
      return { kind: 'declined', code: 'too_many_requests', retryAfterSeconds }
    },
    forgive(res) {
      setAccessLogFields(res, { code: 'free' })
      limiter.takeBack(res.req)
    },
    async sell({ shape, type, read, quote }, { surface, task, ...client }) {
      const { payment, res } = client
      setAccessLogFields(res, { type })
      try {
        const reading = read()
        if (!reading.ok) {
          count(res, attemptOf(payment), reading.code)
          return { kind: 'refused', code: reading.code, index: reading.index }
        }
        const { items } = reading
        const call = {
          kind: 'value',
          shape,
          type,
          items,
          surface,
          client: limiter.clientOf(res.req),
        } as const
        return await buy({ ...call, ...(task && { task }) }, client, () => quote(items.length))
      } catch (error) {
        return fail(error, res)
      }
    },
    async sellTask({ taskId, surface, type, values, quote, ...client }) {
      const { res } = client
      setAccessLogFields(res, { type })
      try {
        const call = { kind: 'sealed', surface, client: limiter.clientOf(res.req), taskId } as const
        return await buy(call, client, async () => quote, { taskId, asked: hitsOf(values) })
      } catch (error) {
        return fail(error, res)
      }
    },
  }
}

const NO_PAYMENT = { kind: 'none' } as const

/** So many values of a list are counted as one request. */
const VALUES_PER_HIT = 10

/** How often an order is counted that is stored until it is paid for: each value takes room in the store. */
export const hitsOf = (values: number): number => Math.ceil(values / VALUES_PER_HIT)
