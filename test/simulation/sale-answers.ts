import { hash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { PaymentRequired, PaymentRequirements } from '@x402/core/types'
import { getAddress, type Hex } from 'viem'
import type { Call, Declined, Sold, Unpaid, ValueCall } from '../../src/payments/ports/sale.ts'
import { insist } from './finding.ts'
import { BASE_URL, type PaymentRow, type Sale } from './service.ts'

/** What an answer is held against. */
export interface Asking {
  readonly call: Call
  /** UTC milliseconds of the answer; null if other requests may have taken their time since. */
  readonly nowMs: number | null
  /** The terms of this call. */
  readonly offer: PaymentRequirements
  readonly payer: Hex
  /** What is written of its payment, if nothing else goes on. */
  readonly row: PaymentRow | null
}

const TIME_CODES = ['payment_expired', 'payment_not_yet_valid', 'payment_valid_too_long']
/** Seconds; docs/api.md. */
const PAUSES: Readonly<Record<string, number>> = {
  ...{ payment_in_doubt: 10, facilitator_unavailable: 5, chain_unavailable: 5, store_unavailable: 5 },
  clock_wrong: 60,
  sales_paused: 60,
}
const LONGEST_PAUSE_SECONDS = 3_600
/** Of a payment that cannot become one for another call any more. */
const FINAL_STATES = ['settled', 'refused', 'void']

/** The address of a call. */
export function urlOf({ surface, ...call }: Call): string {
  if (surface !== 'rest' || !('shape' in call)) return `${BASE_URL}/${surface}`
  const path = [...(call.type === 'mixed' ? [] : [call.type]), ...(call.shape === 'list' ? ['batch'] : [])]
  return [`${BASE_URL}/api/validate`, ...path].join('/')
}

/** Holds an answer against the call, the terms and what is written. */
export function judgeAnswer(sale: Sale, asking: Asking): void {
  if (sale.kind === 'sold') judgeSold(sale, asking)
  else if (sale.kind === 'unpaid') judgeTerms(sale, asking)
  else judgeDeclined(sale, asking)
}

const sha256 = (...parts: readonly (string | Buffer)[]): Buffer =>
  hash('sha256', Buffer.concat(parts.map((part) => Buffer.from(part))), 'buffer')

function judgeSold(sale: Sold, { call, row }: Asking): void {
  insist(sale.verdicts.length === (call.kind === 'value' ? call.items.length : 1), 'verdicts are missing')
  if (call.kind === 'value') judgeVerdicts(sale, call)
  insist(
    (sale.taskId !== undefined) === (call.kind === 'sealed' || call.task !== undefined),
    'a task has no name',
  )
  if (row?.state === 'settled') judgeReceipt(sale, call, row)
}

function judgeVerdicts({ verdicts, json }: Sold, { items, shape }: ValueCall): void {
  const expected = items.map(({ skill, value }) => skill.check(value))
  insist(isDeepStrictEqual([...verdicts], expected), 'verdicts are of other values')
  const { answer, result } = json()
  const text = JSON.stringify(shape === 'single' ? expected[0] : expected)
  insist(String(result) === text, 'a result is written otherwise')
  insist(
    shape === 'single' ? String(answer) === text : String(answer).includes(text),
    'an answer is another result',
  )
}

/** A receipt says what was paid for which call, and can be checked by the buyer alone. */
function judgeReceipt({ settlement, json }: Sold, call: Call, row: PaymentRow): void {
  const { extensions = {}, ...told } = settlement
  const { network, amount } = row
  const [payer, transaction] = [getAddress(row.payer as Hex), row.transaction]
  insist(
    isDeepStrictEqual(told, { success: true, payer, transaction, network }),
    'a settlement is of another payment',
  )
  const text = JSON.stringify(extensions)
  const claims = text.match(/"signature":"[^."]*\.([^."]*)\./)?.[1] ?? ''
  const salt = Buffer.from(text.match(/"salt":"([0-9a-f]*)"/)?.[1] ?? '', 'hex')
  const { requestHash, resultHash, ...said } = JSON.parse(Buffer.from(claims, 'base64url').toString())
  const issuedAt = Math.floor((row.settlingAt ?? row.settledAt ?? 0) / 1000)
  const resourceUrl = urlOf({ ...call, surface: row.surface } as Call)
  const payTo = getAddress(row.payTo as Hex)
  const expected = {
    ...{ version: 1, network, resourceUrl, payer, payTo, issuedAt, transaction },
    amount: String(amount),
  }
  insist(isDeepStrictEqual(said, expected), 'a receipt is of another call')
  if (row.binding === null) return
  insist(salt.length === 16, 'a receipt has no salt')
  insist(resultHash === sha256(salt, sha256(json().result)).toString('hex'), 'a receipt is of another result')
  if (call.kind !== 'value') return
  const parts = call.items.map(({ skill, value }) => ({ type: skill.id, value }))
  const request = JSON.stringify(call.shape === 'single' ? parts[0] : parts)
  insist(requestHash === sha256(salt, sha256(request)).toString('hex'), 'a receipt is of another request')
}

function judgeTerms(
  { code, quote, serverTime, settlement }: Unpaid,
  { call, nowMs, offer, payer }: Asking,
): void {
  const required = quote.required(code)
  const header = JSON.parse(Buffer.from(quote.header(code), 'base64').toString())
  insist(isDeepStrictEqual(header, JSON.parse(JSON.stringify(required))), 'a header has other terms')
  const { x402Version, resource, error, accepts } = required
  insist(x402Version === 2, 'terms are of another version')
  judgeResource(call, resource)
  insist(isDeepStrictEqual(accepts, [offer]), 'other terms are offered')
  insist(code === 'payment_required' || error?.startsWith(`${code}: `) === true, `${code} gives no reason`)
  const price = `$${Number(offer.amount) / 1_000_000} `
  const isPriced = code === 'payment_required' && call.surface === 'mcp'
  insist(error?.includes(price) === isPriced, `${code} names a price, or none`)
  insist((serverTime !== undefined) === TIME_CODES.includes(code), `${code} says another thing of time`)
  if (serverTime !== undefined && nowMs !== null)
    insist(serverTime === Math.floor(nowMs / 1000), `${code} says another time`)
  if (settlement === undefined) return
  const refusal = {
    success: false,
    errorReason: code,
    payer: getAddress(payer),
    transaction: '',
    network: offer.network,
  }
  insist(isDeepStrictEqual(settlement, refusal), 'a refusal is of another payment')
}

function judgeResource(call: Call, resource: PaymentRequired['resource']): void {
  const { description = '', tags = [], ...more } = resource ?? {}
  const fixed = {
    mimeType: 'application/json',
    serviceName: 'Format Checker',
    iconUrl: `${BASE_URL}/icon.svg`,
  }
  insist(isDeepStrictEqual(more, { url: urlOf(call), ...fixed }), 'terms are of another call')
  insist(isDeepStrictEqual(tags.slice(1), ['validation', 'checksum', 'offline']), 'a call has other tags')
  if (call.kind !== 'value') return
  const summary = call.type === 'mixed' ? 'Each value with its own check.' : call.items[0].skill.summary
  const expected = call.shape === 'single' ? summary : `Many values under one payment. ${summary}`
  insist(tags[0] === call.type && description === expected, 'terms describe another call')
}

function judgeDeclined({ code, retryAfterSeconds, final, ...more }: Declined, { row }: Asking): void {
  insist(
    more.awaitsRepeat === undefined && more.settlement === undefined,
    `${code} is answered as of a channel`,
  )
  insist(more.taskId === undefined || code === 'payment_in_doubt', `${code} names a task`)
  if (code === 'too_many_requests')
    insist(
      Number.isInteger(retryAfterSeconds) &&
        retryAfterSeconds! >= 1 &&
        retryAfterSeconds! <= LONGEST_PAUSE_SECONDS,
      'a client must wait for another time',
    )
  else insist(retryAfterSeconds === PAUSES[code], `${code} asks to wait ${retryAfterSeconds} s`)
  if (row === null) return
  if (code === 'payment_already_used')
    insist(final !== true || FINAL_STATES.includes(row.state), 'terms come with a payment that is not over')
  else
    insist(
      (final === true) === (code === 'replay_window_over' && row.deliveredAt !== null),
      `${code} says another thing of the end`,
    )
}
