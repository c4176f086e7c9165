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
  singleCall,
} from '../../payments/sale.ts'
import type { Skill } from '../../skills/skill.ts'
import { readInput } from '../../skills/validate-input.ts'
import type { Exchange } from './request-context.ts'
import { declinedResult, failedResult, soldResult, unpaidResult } from './tool-result.ts'

export interface CallToolDeps {
  readonly sell: Sell
  readonly quote: (skill: Skill, surface: 'mcp') => Quote
  readonly log: UnexpectedErrorLog
}

export type CallTool = (skill: Skill, exchange: Exchange) => Promise<CallToolResult>

/**
 * Builds the one executor of all tools: validates the input, then sells.
 *
 * The sale is not tied to the connection: it continues when the client disconnects.
 */
export function toolCaller({ sell, quote, log }: CallToolDeps): CallTool {
  return async function callTool(skill, exchange) {
    const { req, limiter, payment } = exchange
    const read = readInput(skill, exchange.call?.input)
    if (!read.ok) {
      setAccessLogFields(exchange.res, { type: skill.id, code: read.code })
      limiter.hit(req, attemptOf(exchange))
      return failedResult(read.code)
    }
    try {
      const client = limiter.clientOf(req)
      const sale: Sale =
        payment.kind === 'repeated'
          ? { kind: 'unpaid', code: 'payment_malformed', quote: quote(skill, 'mcp') }
          : await sell(singleCall({ skill, surface: 'mcp', value: read.value, client }), payment)
      count(sale, skill, exchange)
      return resultOf(sale, exchange, () => quote(skill, 'mcp'))
    } catch (error) {
      log.error({ requestId: requestIdOf(exchange.res), ...unexpectedError(error) }, 'defect')
      setAccessLogFields(exchange.res, { type: skill.id, code: 'internal_error' })
      return failedResult('internal_error')
    }
  }
}

function resultOf(sale: Sale, exchange: Exchange, quote: () => Quote): CallToolResult {
  switch (sale.kind) {
    case 'sold':
      exchange.delivered = sale.delivered
      return soldResult(sale)
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

function count(sale: Sale, skill: Skill, exchange: Exchange): void {
  const { req, res, limiter } = exchange
  if (sale.kind === 'sold') {
    setAccessLogFields(res, { type: skill.id, code: sale.replayed ? 'replayed' : 'sold' })
    if (!sale.replayed) limiter.paid(req)
  } else {
    setAccessLogFields(res, { type: skill.id, code: sale.code })
    if (consequenceOf(sale.code).counted) limiter.hit(req, attemptOf(exchange))
  }
}
