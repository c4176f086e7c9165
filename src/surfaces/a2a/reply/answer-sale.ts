/** One sale translated: over HTTP, as on REST, or as the next state of a task. */
import type { OutgoingHttpHeaders } from 'node:http'
import { encodePaymentResponseHeader } from '@x402/core/http'
import {
  type Declined,
  type Quote,
  retryAfterOf,
  type Sale,
  type Sold,
  type Unpaid,
} from '../../../payments/sale.ts'
import { isObject } from '../request/json-object.ts'
import type { Answer, Exchange } from '../request/request-context.ts'
import type { Standing } from '../task/render-task.ts'
import { catalogued, type ErrorDetail, protocolFault, type RpcError } from './rpc-error.ts'

/** What a sale comes to on this surface. */
export type SaleAnswer =
  | { readonly kind: 'standing'; readonly standing: Standing }
  | { readonly kind: 'fault'; readonly fault: RpcError }

/**
 * A sale paid by header or not at all: the receipt and the terms go into HTTP headers, a refusal is an HTTP
 * status with a JSON-RPC error body that carries the terms too.
 */
export function answerOverHttp(sale: Sale, answer: Answer): SaleAnswer {
  if (sale.kind === 'sold') {
    noteSold(sale, answer)
    answer.headers['PAYMENT-RESPONSE'] = encodePaymentResponseHeader(sale.settlement)
    if (sale.replayed) answer.headers['Payment-Replayed'] = 'true'
    const { settlement } = sale
    const [verdict] = sale.verdicts
    return { kind: 'standing', standing: { state: 'sold', verdict, settlement } }
  }
  return { kind: 'fault', fault: sale.kind === 'unpaid' ? termsFault(sale) : declinedFault(sale) }
}

/** A sale paid inside the message: everything but a limit becomes a state of the task. */
export function answerInBand(sale: Sale, exchange: Exchange, payload: unknown): SaleAnswer {
  const { answer } = exchange
  if (sale.kind === 'sold') {
    noteSold(sale, answer)
    const { settlement, replayed } = sale
    const [verdict] = sale.verdicts
    return { kind: 'standing', standing: { state: 'sold', verdict, settlement, replayed } }
  }
  answer.outcome = sale.code
  if (sale.kind === 'unpaid') return { kind: 'standing', standing: refused(sale, payload) }
  switch (sale.code) {
    case 'too_many_requests':
    case 'task_not_found':
      return { kind: 'fault', fault: declinedFault(sale) }
    case 'payment_in_doubt':
      Object.assign(answer.headers, retryAfter(sale))
      return { kind: 'standing', standing: { state: 'working' } }
    case 'facilitator_unavailable':
    case 'store_unavailable':
    case 'shutting_down':
      Object.assign(answer.headers, retryAfter(sale))
      return { kind: 'standing', standing: { state: 'unpaid', notCharged: true } }
    default:
      return { kind: 'standing', standing: { state: 'failed', code: sale.code } }
  }
}

/** The refusal of a declined sale under its own HTTP status. */
export function declinedFault(declined: Pick<Declined, 'code' | 'retryAfterSeconds'>): RpcError {
  if (declined.code === 'task_not_found') return protocolFault('TASK_NOT_FOUND')
  return catalogued(declined.code, { headers: retryAfter(declined) })
}

function noteSold(sold: Sold, answer: Answer): void {
  answer.outcome = sold.replayed ? 'replayed' : 'sold'
  answer.delivered = sold.delivered
  if (sold.rulesetChanged) answer.headers['X-Ruleset-Changed'] = 'true'
}

function termsFault(unpaid: Unpaid): RpcError {
  const { quote, code, settlement, serverTime } = unpaid
  const headers: OutgoingHttpHeaders = { 'PAYMENT-REQUIRED': quote.header(code) }
  if (settlement !== undefined) headers['PAYMENT-RESPONSE'] = encodePaymentResponseHeader(settlement)
  const metadata = serverTime === undefined ? {} : { serverTime: String(serverTime) }
  return catalogued(code, { headers, metadata, details: [termsDetail(quote, unpaid)] })
}

/** The terms as a detail; a free-form object travels as google.protobuf.Struct in an Any. */
function termsDetail(quote: Quote, { code }: Unpaid): ErrorDetail {
  return { '@type': 'type.googleapis.com/google.protobuf.Struct', value: quote.required(code) }
}

function refused({ code, settlement, quote }: Unpaid, payload: unknown): Standing {
  const error = code === 'payment_terms_mismatch' && isForOtherNetwork(payload, quote) ? NETWORK_MISMATCH : {}
  return { state: 'failed', code, ...error, ...(settlement === undefined ? {} : { settlement }) }
}

const NETWORK_MISMATCH = { error: 'NETWORK_MISMATCH' } as const

function isForOtherNetwork(payload: unknown, quote: Quote): boolean {
  const accepted = isObject(payload) && isObject(payload.accepted) ? payload.accepted : {}
  const { accepts } = quote.required('payment_required')
  return accepted.network !== undefined && accepts.every(({ network }) => network !== accepted.network)
}

function retryAfter(declined: Pick<Declined, 'code' | 'retryAfterSeconds'>): OutgoingHttpHeaders {
  const seconds = retryAfterOf(declined)
  return seconds === undefined ? {} : { 'Retry-After': seconds }
}
