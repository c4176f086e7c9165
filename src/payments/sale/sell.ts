import { StoreUnavailable } from '../../ledger/store/store-unavailable.ts'
import { readText } from '../authorization/decode-payment.ts'
import type { Call, Quote, RawPayment, Sale, Sell, Unpaid } from '../ports/sale.ts'
import { SignerUnavailable } from '../ports/signer.ts'
import { quoteFor } from '../terms/quote-for.ts'
import { exactScheme } from './exact-scheme.ts'
import { openSealedCall, openValueCall, type PurchasedCall } from './purchase/purchased-call.ts'
import { createSingleFlight, type Turn } from './single-flight.ts'
import { declined, unpaid } from './table/outcomes.ts'
import type { SaleContext } from './table/sale-context.ts'

/** Copies of a request that may wait for the one that does the work. */
const MOST_WAITERS = 64
/** Sales under way at once. A settlement takes a second or two, so one process cannot settle more. */
const MOST_SALES = 4_096
/** How long a call waits for one with another payment on the same channel; then it gets the state of the channel. */
const TURN_MS = 50

export interface Scheme {
  /** Whether a payment names this scheme; it may still be malformed. */
  takes(json: unknown): boolean
  /** Reads and judges a payment without the ledger. */
  read(call: PurchasedCall, quote: Quote, json: unknown): Promise<ReadPayment | Unpaid>
}

export interface ReadPayment extends Turn {
  run(): Promise<Sale>
  late(): Promise<Sale>
}

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
      const authorization = `${payment.key} ${payment.payment}`
      return { ...result, authorization, replayed: result.replayed || flight.kind === 'followed' }
    } catch (error) {
      if (error instanceof StoreUnavailable) return declined('store_unavailable')
      // Only a receipt needs the signer: the payment was charged.
      if (error instanceof SignerUnavailable) return declined('payment_in_doubt')
      throw error
    }
  }
}
