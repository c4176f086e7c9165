import type { CallToolResult } from '@modelcontextprotocol/server'
import { setAccessLogFields } from '../../http/access-log-fields.ts'
import { requestIdOf } from '../../http/headers/request-id.ts'
import { type UnexpectedErrorLog, unexpectedError } from '../../http/unexpected-error.ts'
import {
  consequenceOf,
  type Declined,
  type Proof,
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
  readonly log: UnexpectedErrorLog
}

export type CallTool = (skill: Skill, exchange: Exchange) => Promise<CallToolResult>

/**
 * Builds the one executor of all tools: input first, then the sale; the result is the sale in MCP's words.
 *
 * The sale is not tied to the connection: work goes on when the client leaves.
 */
export function toolCaller({ sell, log }: CallToolDeps): CallTool {
  return async function callTool(skill, exchange) {
    const read = readInput(skill, exchange.call?.input)
    if (!read.ok) {
      setAccessLogFields(exchange.res, { type: skill.id, code: read.code })
      exchange.limiter.hit(exchange.req)
      return failedResult(read.code)
    }
    const proof = proofOf(exchange.call?.payment)
    try {
      const client = exchange.limiter.clientOf(exchange.req)
      const sale = await sell(singleCall({ skill, surface: 'mcp', value: read.value, client }), proof)
      note(sale, skill, proof, exchange)
      return resultOf(sale, exchange)
    } catch (error) {
      log.error({ requestId: requestIdOf(exchange.res), ...unexpectedError(error) }, 'defect')
      setAccessLogFields(exchange.res, { type: skill.id, code: 'internal_error' })
      return failedResult('internal_error')
    }
  }
}

/** The payment as it came: an object by the specification, a base64 text from some clients. */
function proofOf(payment: unknown): Proof {
  if (payment === undefined) return { kind: 'none' }
  return typeof payment === 'string' ? { kind: 'text', text: payment } : { kind: 'object', payload: payment }
}

function resultOf(sale: Sale, exchange: Exchange): CallToolResult {
  switch (sale.kind) {
    case 'sold':
      exchange.delivered = sale.delivered
      return soldResult(sale)
    case 'unpaid':
      return unpaidResult(sale)
    case 'declined':
      return declinedWith(retryAfterOf(sale), sale, exchange)
  }
}

function declinedWith(seconds: number | undefined, sale: Declined, exchange: Exchange): CallToolResult {
  if (sale.code === 'too_many_requests' && seconds !== undefined) exchange.waitSeconds = seconds
  if (seconds !== undefined) exchange.res.setHeader('Retry-After', seconds)
  return declinedResult(sale)
}

function note(sale: Sale, skill: Skill, proof: Proof, { req, res, limiter }: Exchange): void {
  if (sale.kind === 'sold') {
    setAccessLogFields(res, { type: skill.id, code: sale.replayed ? 'replayed' : 'sold' })
    if (!sale.replayed) limiter.paid(req)
  } else {
    setAccessLogFields(res, { type: skill.id, code: sale.code })
    if (consequenceOf(sale.code).counted) limiter.hit(req, proof.kind === 'none' ? 'unpaid' : 'payment')
  }
}
