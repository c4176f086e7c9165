import type { CallToolResult } from '@modelcontextprotocol/server'
import { setAccessLogFields } from '../../http/access-log-fields.ts'
import { requestIdOf } from '../../http/headers/request-id.ts'
import { type UnexpectedErrorLog, unexpectedError } from '../../http/unexpected-error.ts'
import {
  consequenceOf,
  type Declined,
  type Quote,
  retryAfterOf,
  type Sale,
  type Sell,
} from '../../payments/sale.ts'
import type { Order } from './orders.ts'
import type { Exchange } from './request-context.ts'
import { declinedResult, failedResult, soldResult, unpaidResult } from './tool-result.ts'

export interface CallToolDeps {
  readonly sell: Sell
  readonly log: UnexpectedErrorLog
}

export type CallTool = (order: Order, exchange: Exchange) => Promise<CallToolResult>

/**
 * Builds the one executor of all tools: validates the input, then sells.
 *
 * The sale is not tied to the connection: it continues when the client disconnects.
 */
export function toolCaller({ sell, log }: CallToolDeps): CallTool {
  return async function callTool(order, exchange) {
    const { req, limiter, payment } = exchange
    const { type, shape } = order
    const reading = order.read(exchange.call?.input)
    if (!reading.ok) {
      setAccessLogFields(exchange.res, { type, code: reading.code })
      limiter.hit(req, attemptOf(exchange))
      return failedResult(reading.code, reading.index)
    }
    const { items } = reading
    const quote = () => order.quote(items.length)
    try {
      const client = limiter.clientOf(req)
      const sale: Sale =
        payment.kind === 'repeated'
          ? { kind: 'unpaid', code: 'payment_malformed', quote: await quote() }
          : await sell({ kind: 'value', shape, type, items, surface: 'mcp', client }, payment)
      count(sale, order, exchange)
      return await resultOf(sale, order, exchange, quote)
    } catch (error) {
      log.error({ requestId: requestIdOf(exchange.res), ...unexpectedError(error) }, 'defect')
      setAccessLogFields(exchange.res, { type, code: 'internal_error' })
      return failedResult('internal_error')
    }
  }
}

async function resultOf(
  sale: Sale,
  { shape }: Order,
  exchange: Exchange,
  quote: () => Promise<Quote>,
): Promise<CallToolResult> {
  switch (sale.kind) {
    case 'sold':
      exchange.delivered = sale.delivered
      return soldResult(sale, shape)
    case 'unpaid':
      return unpaidResult(sale)
    case 'declined':
      setRetryAfter(sale, exchange)
      return declinedResult(sale, quote)
  }
}

function setRetryAfter(sale: Declined, exchange: Exchange): void {
  const seconds = retryAfterOf(sale)
  if (sale.code === 'too_many_requests' && seconds !== undefined) exchange.waitSeconds = seconds
  if (seconds !== undefined) exchange.res.setHeader('Retry-After', seconds)
}

const attemptOf = ({ payment }: Exchange) => (payment.kind === 'none' ? 'unpaid' : 'payment')

function count(sale: Sale, { type }: Order, exchange: Exchange): void {
  const { req, res, limiter } = exchange
  if (sale.kind === 'sold') {
    setAccessLogFields(res, { type, code: sale.replayed ? 'replayed' : 'sold' })
    if (!sale.replayed) limiter.paid(req)
  } else {
    setAccessLogFields(res, { type, code: sale.code })
    if (consequenceOf(sale.code).counted) limiter.hit(req, attemptOf(exchange))
  }
}
