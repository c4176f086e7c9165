/** One sale translated: over HTTP, as on REST, or as the next state of a task. */
import type { OutgoingHttpHeaders } from 'node:http'
import type { SettleResponse } from '@x402/core/types'
import { type ErrorCode, isNotNow } from '../../../errors.ts'
import { encodeHeader, isObject } from '../../../json.ts'
import { retryAfterOf } from '../../../payments/ports/consequences.ts'
import type { Declined, Quote, Sale, Sold, Unpaid } from '../../../payments/ports/sale.ts'
import { networkTitleOf, priceOf, quoteFor } from '../../../payments/terms/quote-for.ts'
import { networkV1, receiptHeaderV1 } from '../../../payments/terms/terms-v1.ts'
import { type Answer, isVersion1, type RequestContext } from '../request/request-context.ts'
import type { RenderedState } from '../task/render-task.ts'
import { askingQuote, questionOf, type TextQuote } from '../task/text-quote.ts'
import { catalogued, type ErrorDetail, protocolFault, type RpcError } from './rpc-error.ts'

export type SaleAnswer =
  | { readonly kind: 'task'; readonly taskState: RenderedState }
  | { readonly kind: 'fault'; readonly fault: RpcError }

/**
 * A sale paid by header or not at all: the receipt and the terms go into HTTP headers, a refusal is an HTTP
 * status with a JSON-RPC error body that carries the terms too.
 */
export function answerOverHttp(
  sale: Sale,
  { answer, rawPayment, channels }: Pick<RequestContext, 'answer' | 'rawPayment' | 'channels'>,
  asked?: TextQuote,
): SaleAnswer {
  const version1 = isVersion1(rawPayment)
  if (sale.kind === 'sold') {
    noteSold(sale, answer)
    Object.assign(answer.headers, receiptHeaders(sale.settlement, version1))
    if (sale.replayed) answer.headers['Payment-Replayed'] = 'true'
    const { verdicts, settlement } = sale
    return { kind: 'task', taskState: { state: 'sold', verdicts, settlement } }
  }
  if (sale.kind === 'declined') return { kind: 'fault', fault: declinedFault(sale) }
  const quoted = { ...sale, quote: quoteFor(sale.quote, channels) }
  return { kind: 'fault', fault: termsFault(quoted, version1, asked) }
}

/** A sale paid inside the message: everything but a limit becomes a state of the task. */
export function answerInBand(sale: Sale, requestContext: RequestContext, payload: unknown): SaleAnswer {
  const { answer } = requestContext
  if (sale.kind === 'sold') {
    noteSold(sale, answer)
    const { verdicts, settlement, replayed } = sale
    return { kind: 'task', taskState: { state: 'sold', verdicts, settlement, replayed } }
  }
  answer.outcome = sale.code
  if (sale.kind === 'unpaid') {
    const { code, quote } = sale
    if (STAYS_UNPAID.has(code) || sale.isCorrection === true)
      return { kind: 'task', taskState: { state: 'unpaid', refusal: { code, quote } } }
    return { kind: 'task', taskState: refused(sale, payload) }
  }
  switch (sale.code) {
    case 'too_many_requests':
    case 'task_not_found':
      return { kind: 'fault', fault: declinedFault(sale) }
    case 'payment_in_doubt':
      Object.assign(answer.headers, retryAfter(sale))
      return {
        kind: 'task',
        taskState:
          sale.awaitsRepeat === true
            ? { state: 'unpaid', refusal: { code: sale.code } }
            : { state: 'working' },
      }
    default: {
      const { code, settlement } = sale
      if (isNotNow(code)) {
        Object.assign(answer.headers, retryAfter(sale))
        return { kind: 'task', taskState: { state: 'unpaid', refusal: { code } } }
      }
      // A voucher that was charged for another call: the payer's next one pays for this task.
      if (settlement !== undefined)
        return { kind: 'task', taskState: { state: 'unpaid', refusal: { code, settlement } } }
      return { kind: 'task', taskState: { state: 'failed', code } }
    }
  }
}

/** Refusals that only say how to go on: the task can be paid for by the next message. */
const STAYS_UNPAID: ReadonlySet<ErrorCode> = new Set(['channel_out_of_step', 'channel_closing'] as const)

/** The refusal of a declined sale under its own HTTP status. */
export function declinedFault(
  declined: Pick<Declined, 'code' | 'retryAfterSeconds' | 'settlement'>,
): RpcError {
  if (declined.code === 'task_not_found') return protocolFault('TASK_NOT_FOUND')
  const { code, settlement } = declined
  const receipt = settlement === undefined ? {} : receiptHeaders(settlement, false)
  return catalogued(code, { headers: { ...retryAfter(declined), ...receipt } })
}

function noteSold(sold: Sold, answer: Answer): void {
  answer.outcome = sold.replayed ? 'replayed' : 'sold'
  answer.delivered = sold.delivered
  if (sold.rulesetChanged) answer.headers['X-Ruleset-Changed'] = 'true'
}

function termsFault(unpaid: Unpaid, version1: boolean, asked?: TextQuote): RpcError {
  const { code, settlement, serverTime } = unpaid
  const question = code === 'payment_required' ? asked : undefined
  const quote = question === undefined ? unpaid.quote : askingQuote(unpaid.quote, question)
  const headers: OutgoingHttpHeaders = { 'PAYMENT-REQUIRED': quote.header(code) }
  if (settlement !== undefined) Object.assign(headers, receiptHeaders(settlement, version1))
  const metadata = {
    ...(serverTime === undefined ? {} : { serverTime: String(serverTime) }),
    ...(question === undefined ? {} : { ...question, certain: String(question.certain) }),
  }
  return catalogued(code, {
    headers,
    metadata,
    details: [termsDetail(quote, unpaid)],
    priceUsd: priceOf(quote.required('payment_required')),
    network: networkTitleOf(quote.required('payment_required')),
    ...(question === undefined ? {} : { question: questionOf(question) }),
  })
}

/** `PAYMENT-RESPONSE`, and for a client that paid by `X-PAYMENT` its version's header beside. */
function receiptHeaders(settlement: SettleResponse, version1: boolean): OutgoingHttpHeaders {
  const headers = { 'PAYMENT-RESPONSE': encodeHeader(settlement) }
  if (!version1) return headers
  return { ...headers, 'X-PAYMENT-RESPONSE': receiptHeaderV1(settlement) }
}

/** The terms as a detail; a free-form object travels as google.protobuf.Struct in an Any. */
function termsDetail(quote: Quote, { code }: Unpaid): ErrorDetail {
  return { '@type': 'type.googleapis.com/google.protobuf.Struct', value: quote.required(code) }
}

function refused({ code, settlement, quote }: Unpaid, payload: unknown): RenderedState {
  const error = code === 'payment_terms_mismatch' && isForOtherNetwork(payload, quote) ? NETWORK_MISMATCH : {}
  return { state: 'failed', code, ...error, ...(settlement === undefined ? {} : { settlement }) }
}

const NETWORK_MISMATCH = { error: 'NETWORK_MISMATCH' } as const

function isForOtherNetwork(payload: unknown, quote: Quote): boolean {
  const { accepts } = quote.required('payment_required')
  if (isObject(payload) && payload.x402Version === 1)
    return accepts.every(({ network }) => networkV1(network) !== payload.network)
  const accepted = isObject(payload) && isObject(payload.accepted) ? payload.accepted : {}
  return accepted.network !== undefined && accepts.every(({ network }) => network !== accepted.network)
}

function retryAfter(declined: Pick<Declined, 'code' | 'retryAfterSeconds'>): OutgoingHttpHeaders {
  const seconds = retryAfterOf(declined)
  return seconds === undefined ? {} : { 'Retry-After': seconds }
}
