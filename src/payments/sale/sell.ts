/**
 * The sale: the only door to a charge.
 *
 * In comes a call, which is values with their skills or a stored task, and a payment as it was sent. Out goes one of three
 * answers: `sold` with verdicts and receipt, `unpaid` with terms, or `declined` with a code that says whether anything was
 * charged. An outcome that is not known is `payment_in_doubt`, never one of the others.
 *
 * This file chooses the scheme that the payment names, and lets copies of one request wait for the first. A scheme
 * (exact-scheme.ts, and channels/charge/channel-scheme.ts) reads the payment without the ledger: form, terms, signature.
 * Then table/run-sale.ts goes from step to step. A step reads or writes the payment's row, the chain or the facilitator and
 * returns an event; table/sale-table.ts names the next step for the row's state and that event. claim/ writes the row before
 * anything is sent, settle/ sends and records, replay/ answers a payment that has a row, limits/ slows guesses down, tasks/ keeps
 * the verdicts of A2A tasks.
 *
 * Three rules hold the promises. The row is on disk before the settlement is sent. A step notes that something may be charged
 * before the call that may charge, since an error after it must not become "not charged". The verdict is computed before the
 * settlement, so whatever was charged can be answered.
 *
 * Read table/sale-table.ts first, then exact-scheme.ts.
 */
import { StoreUnavailable } from '../../ledger/store/store-unavailable.ts'
import { sha256 } from '../../receipts/receipt-hashes.ts'
import { readText } from '../authorization/decode-payment.ts'
import type { Call, RawPayment, Sale, Sell } from '../ports/sale.ts'
import { SignerUnavailable } from '../ports/signer.ts'
import { quoteFor } from '../terms/quote-for.ts'
import { exactScheme } from './exact-scheme.ts'
import { openSealedCall, openValueCall } from './purchase/purchased-call.ts'
import type { ReadPayment, Scheme } from './scheme.ts'
import { createSingleFlight } from './single-flight.ts'
import { declined, unpaid } from './table/outcomes.ts'
import type { SaleContext } from './table/sale-context.ts'

/** Copies of a request that may wait for the one that does the work. */
const MOST_WAITERS = 64
/** Sales under way at once. A settlement takes a second or two, so one process cannot settle more. */
const MOST_SALES = 4_096
/** How long a call waits for one with another payment on the same channel; then it gets the state of the channel. */
const TURN_MS = 50

/** A payment that names none of `others` and no other network is taken as a single payment on the first network. */
export function createSell(context: SaleContext, others: readonly Scheme[] = []): Sell {
  const { timing, quotes } = context
  const flights = createSingleFlight<Sale>({
    timing,
    turnMs: TURN_MS,
    mostFollowers: MOST_WAITERS,
    mostRuns: MOST_SALES,
  })
  const exact = exactScheme(context)
  const elsewhere = [...context.networks.values()]
    .filter(({ terms }) => terms.network !== context.terms.network)
    .map((network) => exactScheme({ ...context, ...network }))
  const named = [...others, ...elsewhere]

  const read = async (call: Call, rawPayment: RawPayment): Promise<ReadPayment | Sale> => {
    // A price needs no fingerprint of the values.
    if (call.kind === 'value' && rawPayment.kind === 'none') {
      const quote = await quotes.of({ ...call, items: call.items.length }, call.surface)
      return unpaid(context, { quote }, 'payment_required')
    }
    const purchased =
      call.kind === 'value'
        ? openValueCall(call, context.keys)
        : await openSealedCall(call, { ...context, now: context.now() })
    if (purchased === null) return declined('task_not_found')
    const offered = await quotes.of(purchased, purchased.surface)
    if (rawPayment.kind === 'none') return unpaid(context, { quote: offered }, 'payment_required')
    const json = rawPayment.kind === 'text' ? readText(rawPayment.text) : rawPayment.payload
    const scheme = named.find(({ takes }) => takes(json)) ?? exact
    return scheme.read(purchased, quoteFor(offered, others.includes(scheme)), json)
  }
  return async (call, rawPayment) => {
    try {
      const payment = await read(call, rawPayment)
      if ('kind' in payment) return payment
      const flight = await flights.run(payment, payment.run)
      if (flight.kind === 'late') return await payment.late()
      const { result } = flight
      if (result.kind !== 'sold') return result
      // Short, since it is remembered for 100,000 sales.
      const authorization = sha256(`${payment.key} ${payment.payment}`).toString('base64')
      return { ...result, authorization, replayed: result.replayed || flight.kind === 'followed' }
    } catch (error) {
      if (error instanceof StoreUnavailable) return declined('store_unavailable')
      // Only a receipt needs the signer: the payment was charged.
      if (error instanceof SignerUnavailable) return declined('payment_in_doubt')
      throw error
    }
  }
}
