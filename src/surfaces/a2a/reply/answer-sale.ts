import type { OutgoingHttpHeaders } from 'node:http'
import { PRICE_USD } from '../../../catalog/price.ts'
import { type ErrorCode, isNotNow, type UnpaidCode } from '../../../errors.ts'
import type { Quote, Sold, Unpaid } from '../../../payments/ports/sale.ts'
import { networkTitleOf, priceOf } from '../../../payments/terms/quote-for.ts'
import { networkV1 } from '../../../payments/terms/terms-v1.ts'
import { isObject } from '../../../values/json.ts'
import { receiptHeaders } from '../../call/receipt-headers.ts'
import type { DeclinedReply, Refused, Reply } from '../../call/reply.ts'
import { type Outcome, type RenderedState, result } from '../protocol/outcome.ts'
import type { RequestContext } from '../protocol/request-context.ts'
import { catalogued, type ErrorDetail, protocolFault, type RpcError } from '../protocol/rpc-error.ts'
import type { Ordered } from '../request/route-skill.ts'
import { askingQuote, questionOf, quoteOfText } from './text-quote.ts'

/**
 * For a sale that is paid by header or not at all: receipt and terms are HTTP headers, a refusal is an HTTP status with
 * a JSON-RPC error, which has the terms too.
 */
export function answerOverHttp(
  reply: Reply,
  { payment }: RequestContext,
  inWords?: Ordered,
): Outcome<RenderedState> {
  const version1 = payment.kind === 'text' && 'version1' in payment
  if (reply.kind !== 'sold')
    return reply.kind === 'unpaid' ? termsFault(reply, version1, inWords) : refusalFault(reply)
  const { verdicts, settlement, delivered, replayed } = reply
  const headers = {
    ...receiptHeaders(settlement, version1),
    ...(replayed && { 'Payment-Replayed': 'true' }),
    ...rulesetHeader(reply),
  }
  return result({ state: 'sold', verdicts, settlement }, { headers, delivered })
}

/** Answers a sale that is paid inside the message: every outcome but a limit is a state of the task. */
export function answerInBand(reply: Reply, payload: unknown): Outcome<RenderedState> {
  if (reply.kind === 'sold') {
    const { verdicts, settlement, replayed, delivered } = reply
    const headers = rulesetHeader(reply)
    return result({ state: 'sold', verdicts, settlement, replayed }, { headers, delivered })
  }
  const { code } = reply
  if (reply.kind === 'unpaid') {
    const { quote } = reply
    const staysUnpaid = STAYS_UNPAID.has(code) || reply.isCorrection === true
    return result(staysUnpaid ? { state: 'unpaid', refusal: { code, quote } } : refusedState(reply, payload))
  }
  if (reply.kind === 'refused' || code === 'too_many_requests' || code === 'task_not_found')
    return refusalFault(reply)
  const isInDoubt = code === 'payment_in_doubt'
  if (isInDoubt || isNotNow(code)) {
    const isWorking = isInDoubt && reply.awaitsRepeat !== true
    const headers = retryAfter(reply)
    return result(isWorking ? { state: 'working' } : { state: 'unpaid', refusal: { code } }, { headers })
  }
  const { settlement } = reply
  // A voucher that was charged for another call: the payer's next one can pay for this task.
  if (settlement !== undefined) return result({ state: 'unpaid', refusal: { code, settlement } })
  return result({ state: 'failed', code })
}

/** Refusals after which the next payment can pay for the task: the client continues from the state of its channel. */
const STAYS_UNPAID: ReadonlySet<ErrorCode> = new Set(['channel_out_of_step', 'channel_closing'] as const)

export function refusalFault(refusal: DeclinedReply | Refused): RpcError {
  if (refusal.code === 'task_not_found') return protocolFault('TASK_NOT_FOUND')
  if (refusal.kind === 'refused') return catalogued(refusal.code)
  const { code, settlement } = refusal
  const receipt = settlement === undefined ? {} : receiptHeaders(settlement, false)
  return catalogued(code, { headers: { ...retryAfter(refusal), ...receipt } })
}

const rulesetHeader = ({ rulesetChanged }: Sold): OutgoingHttpHeaders =>
  rulesetChanged ? { 'X-Ruleset-Changed': 'true' } : {}

/**
 * The refusal of an unpaid sale, with the terms; its message begins with the price, which a model without a wallet
 * passes on.
 */
export function termsFault(unpaid: Unpaid, version1: boolean, inWords?: Ordered): RpcError {
  const { code, settlement, serverTime, why } = unpaid
  const asked =
    inWords !== undefined && code === 'payment_required' ? quoteOfText(inWords, unpaid.quote) : undefined
  const quote = asked === undefined ? unpaid.quote : askingQuote(unpaid.quote, asked)
  const headers: OutgoingHttpHeaders = { 'PAYMENT-REQUIRED': quote.header(code) }
  if (settlement !== undefined) Object.assign(headers, receiptHeaders(settlement, version1))
  const metadata = {
    ...(serverTime === undefined ? {} : { serverTime: String(serverTime) }),
    ...Object.fromEntries(Object.entries(asked ?? {}).map(([key, value]) => [key, String(value)])),
  }
  const preface = (asked === undefined ? '' : `${questionOf(asked)} `) + priceSentence(quote)
  return catalogued(code, { headers, metadata, details: [termsDetail(quote, code)], preface, why })
}

function priceSentence(quote: Quote): string {
  const required = quote.required('payment_required')
  const price = priceOf(required)
  const what = price === PRICE_USD ? 'check' : 'list'
  return `This ${what} costs USD ${price}, paid in USDC on ${networkTitleOf(required)} with x402; without a wallet, tell the user the price. `
}

/** The terms as a detail of an error: google.protobuf.Any holds a free-form object as a Struct. */
function termsDetail(quote: Quote, code: UnpaidCode): ErrorDetail {
  return { '@type': 'type.googleapis.com/google.protobuf.Struct', value: quote.required(code) }
}

function refusedState({ code, settlement, quote, why }: Unpaid, payload: unknown): RenderedState {
  const error = code === 'payment_terms_mismatch' && isForOtherNetwork(payload, quote) ? NETWORK_MISMATCH : {}
  return { state: 'failed', code, ...error, why, settlement }
}

const NETWORK_MISMATCH = { error: 'NETWORK_MISMATCH' } as const

function isForOtherNetwork(payload: unknown, quote: Quote): boolean {
  const { accepts } = quote.required('payment_required')
  if (isObject(payload) && payload.x402Version === 1)
    return accepts.every(({ network }) => networkV1(network) !== payload.network)
  const accepted = isObject(payload) && isObject(payload.accepted) ? payload.accepted : {}
  return accepted.network !== undefined && accepts.every(({ network }) => network !== accepted.network)
}

const retryAfter = ({ retryAfterSeconds }: DeclinedReply): OutgoingHttpHeaders =>
  retryAfterSeconds === undefined ? {} : { 'Retry-After': retryAfterSeconds }
