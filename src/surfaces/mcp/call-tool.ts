import type { CallToolResult } from '@modelcontextprotocol/server'
import { setAccessLogFields } from '../../http/access-log-fields.ts'
import { asksForChannels } from '../../http/headers/channels-header.ts'
import { requestIdOf } from '../../http/headers/request-id.ts'
import { attemptOf } from '../../http/limits/unpaid-limiter.ts'
import { type UnexpectedErrorLog, unexpectedError } from '../../http/unexpected-error.ts'
import { consequenceOf, retryAfterOf } from '../../payments/ports/consequences.ts'
import type { Declined, Sale, Sell } from '../../payments/ports/sale.ts'
import type { Order } from '../../payments/terms/orders.ts'
import { quoteFor } from '../../payments/terms/quote-for.ts'
import type { RequestContext } from './request-context.ts'
import { declinedResult, failedResult, soldResult, unpaidResult } from './tool-result.ts'

export interface CallToolDeps {
  readonly sell: Sell
  readonly log: UnexpectedErrorLog
}

export type CallTool = (order: Order, requestContext: RequestContext) => Promise<CallToolResult>

/** The sale continues if the client disconnects. */
export function toolCaller({ sell, log }: CallToolDeps): CallTool {
  return async function callTool(order, requestContext) {
    const { req, limiter, payment } = requestContext
    const { type, shape, surface } = order
    requestContext.isCounted = true
    const reading = order.read(requestContext.call?.input)
    if (!reading.ok) {
      setAccessLogFields(requestContext.res, { type, code: reading.code })
      limiter.hit(req, attemptOf(payment))
      return failedResult(reading.code, reading.index)
    }
    const { items } = reading
    const asks = requestContext.call?.channels === true || asksForChannels(req)
    const quote = async () => quoteFor(await order.quote(items.length), asks)
    try {
      const client = limiter.clientOf(req)
      const sale: Sale =
        payment.kind === 'repeated'
          ? { kind: 'unpaid', code: 'payment_malformed', quote: await quote() }
          : await sell({ kind: 'value', shape, type, items, surface, client }, payment)
      count(sale, order, requestContext)
      switch (sale.kind) {
        case 'sold':
          requestContext.delivered = sale.delivered
          return soldResult(sale, shape)
        case 'unpaid':
          return unpaidResult({ ...sale, quote: quoteFor(sale.quote, asks) })
        case 'declined':
          setRetryAfter(sale, requestContext)
          return await declinedResult(sale, quote)
      }
    } catch (error) {
      log.error({ requestId: requestIdOf(requestContext.res), ...unexpectedError(error) }, 'defect')
      setAccessLogFields(requestContext.res, { type, code: 'internal_error' })
      return failedResult('internal_error')
    }
  }
}

function setRetryAfter(sale: Declined, requestContext: RequestContext): void {
  const seconds = retryAfterOf(sale)
  if (sale.code === 'too_many_requests' && seconds !== undefined) requestContext.waitSeconds = seconds
  if (seconds !== undefined) requestContext.res.setHeader('Retry-After', seconds)
}

function count(sale: Sale, { type }: Order, requestContext: RequestContext): void {
  const { req, res, limiter } = requestContext
  if (sale.kind === 'sold') {
    setAccessLogFields(res, { type, code: sale.replayed ? 'replayed' : 'sold' })
    if (!sale.replayed) limiter.takeBack(req)
  } else {
    setAccessLogFields(res, { type, code: sale.code })
    if (consequenceOf(sale.code).counted) limiter.hit(req, attemptOf(requestContext.payment))
  }
}
