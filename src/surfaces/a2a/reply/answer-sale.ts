import type { OutgoingHttpHeaders } from 'node:http'
import type { SettleResponse } from '@x402/core/types'
import { PRICE_USD } from '../../../catalog/price.ts'
import { type ErrorCode, isNotNow } from '../../../errors.ts'
import { retryAfterOf } from '../../../payments/ports/consequences.ts'
import type { Declined, Quote, Sale, Sold, Unpaid, UnpaidCode } from '../../../payments/ports/sale.ts'
import { networkTitleOf, priceOf, quoteFor } from '../../../payments/terms/quote-for.ts'
import { networkV1, receiptHeaderV1 } from '../../../payments/terms/terms-v1.ts'
import { encodeHeader, isObject } from '../../../values/json.ts'
import type { Answer, RequestContext } from '../request/request-context.ts'
import type { RenderedState } from '../task/render-task.ts'
import { askingQuote, questionOf, type TextQuote } from '../task/text-quote.ts'
import { type Fault, fault } from './outcome.ts'
import { catalogued, type ErrorDetail, protocolFault, type RpcError } from './rpc-error.ts'

export type SaleAnswer = { readonly kind: 'task'; readonly taskState: RenderedState } | Fault

const inState = (taskState: RenderedState): SaleAnswer => ({ kind: 'task', taskState })

/**
 * Answers a sale that is paid by header or not at all: receipt and terms are HTTP headers, and a refusal is an HTTP
 * status with a JSON-RPC error, which has the terms too.
 */
export function answerOverHttp(
  sale: Sale,
  { answer, rawPayment, channels }: RequestContext,
  asked?: TextQuote,
): SaleAnswer {
  const version1 = rawPayment.kind === 'text' && rawPayment.version1 === true
  if (sale.kind === 'sold') {
    noteSold(sale, answer)
    Object.assign(answer.headers, receiptHeaders(sale.settlement, version1))
    if (sale.replayed) answer.headers['Payment-Replayed'] = 'true'
    const { verdicts, settlement } = sale
    return inState({ state: 'sold', verdicts, settlement })
  }
  if (sale.kind === 'declined') return fault(declinedFault(sale))
  const quoted = { ...sale, quote: quoteFor(sale.quote, channels) }
  return fault(termsFault(quoted, version1, asked))
}

/** Answers a sale that is paid inside the message: every outcome but a limit is a state of the task. */
export function answerInBand(sale: Sale, requestContext: RequestContext, payload: unknown): SaleAnswer {
  const { answer } = requestContext
  if (sale.kind === 'sold') {
    noteSold(sale, answer)
    const { verdicts, settlement, replayed } = sale
    return inState({ state: 'sold', verdicts, settlement, replayed })
  }
  answer.outcome = sale.code
  if (sale.kind === 'unpaid') {
    const { code, quote } = sale
    const staysUnpaid = STAYS_UNPAID.has(code) || sale.isCorrection === true
    return inState(staysUnpaid ? { state: 'unpaid', refusal: { code, quote } } : refusedState(sale, payload))
  }
  const { code, settlement } = sale
  if (code === 'too_many_requests' || code === 'task_not_found') return fault(declinedFault(sale))
  const isInDoubt = code === 'payment_in_doubt'
  if (isInDoubt || isNotNow(code)) {
    Object.assign(answer.headers, retryAfter(sale))
    const isWorking = isInDoubt && sale.awaitsRepeat !== true
    return inState(isWorking ? { state: 'working' } : { state: 'unpaid', refusal: { code } })
  }
  // A voucher that was charged for another call: the payer's next one can pay for this task.
  if (settlement !== undefined) return inState({ state: 'unpaid', refusal: { code, settlement } })
  return inState({ state: 'failed', code })
}

/** Refusals after which the next payment can pay for the task: the client continues from the state of its channel. */
const STAYS_UNPAID: ReadonlySet<ErrorCode> = new Set(['channel_out_of_step', 'channel_closing'] as const)

export function declinedFault(declined: Declined): RpcError {
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

/**
 * The refusal of an unpaid sale, with the terms; its message begins with the price, which a model without a wallet
 * passes on.
 */
export function termsFault(unpaid: Unpaid, version1: boolean, asked?: TextQuote): RpcError {
  const { code, settlement, serverTime } = unpaid
  const question = code === 'payment_required' ? asked : undefined
  const quote = question === undefined ? unpaid.quote : askingQuote(unpaid.quote, question)
  const headers: OutgoingHttpHeaders = { 'PAYMENT-REQUIRED': quote.header(code) }
  if (settlement !== undefined) Object.assign(headers, receiptHeaders(settlement, version1))
  const metadata = {
    ...(serverTime === undefined ? {} : { serverTime: String(serverTime) }),
    ...(question === undefined ? {} : { ...question, certain: String(question.certain) }),
  }
  const preface = (question === undefined ? '' : `${questionOf(question)} `) + priceSentence(quote)
  return catalogued(code, { headers, metadata, details: [termsDetail(quote, code)], preface })
}

function priceSentence(quote: Quote): string {
  const required = quote.required('payment_required')
  const price = priceOf(required)
  const what = price === PRICE_USD ? 'check' : 'list'
  return `This ${what} costs USD ${price}, paid in USDC on ${networkTitleOf(required)} with x402; without a wallet, tell the user the price. `
}

/** Clients of x402 version 1 read the receipt in a header of their own. */
function receiptHeaders(settlement: SettleResponse, version1: boolean): OutgoingHttpHeaders {
  const headers = { 'PAYMENT-RESPONSE': encodeHeader(settlement) }
  return version1 ? { ...headers, 'X-PAYMENT-RESPONSE': receiptHeaderV1(settlement) } : headers
}

/** The terms as a detail of an error: google.protobuf.Any holds a free-form object as a Struct. */
function termsDetail(quote: Quote, code: UnpaidCode): ErrorDetail {
  return { '@type': 'type.googleapis.com/google.protobuf.Struct', value: quote.required(code) }
}

function refusedState({ code, settlement, quote }: Unpaid, payload: unknown): RenderedState {
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
