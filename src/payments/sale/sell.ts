import { StoreUnavailable } from '../../ledger/store-unavailable.ts'
import { acceptsTerms } from '../authorization/accepts-terms.ts'
import { decodePayment } from '../authorization/decode-payment.ts'
import { identifiersOf } from '../authorization/payment-identifier.ts'
import type { Call, RawPayment, Sale, Sell } from '../ports/sale.ts'
import { sameBytes } from '../secrets/keyring.ts'
import { NETWORK } from '../terms/terms.ts'
import { EXACT, startExact } from './exact-course.ts'
import { openPurchasedCall } from './purchase/purchased-call.ts'
import { createSingleFlight, type SingleFlight } from './single-flight.ts'
import { declined, inDoubt, unpaid } from './table/outcomes.ts'
import { runSale } from './table/run-sale.ts'
import type { Attempt, SaleContext } from './table/sale-context.ts'

/** How many copies of a request wait for the one that does the work. */
const MOST_WAITERS = 64
/** Sales under way at once: a settlement takes a second or two, so this is more than one process can settle. */
const MOST_SALES = 4_096
const NO_IDENTIFIER = Buffer.alloc(0)

interface Flight {
  readonly attempt: Attempt
  readonly sale: Sale
}

/** Builds `sell`, which quotes, refuses, sells once, replays, or says that the outcome is in doubt. */
export function createSell(context: SaleContext): Sell {
  const flights = createSingleFlight<Flight>({
    waitMs: context.timing.waitMs,
    sleep: context.timing.sleep,
    mostFollowers: MOST_WAITERS,
    mostRuns: MOST_SALES,
  })
  return async (call, rawPayment) => {
    try {
      const attempt = await readAttempt(context, call, rawPayment)
      return 'kind' in attempt ? attempt : await runOnce(context, flights, attempt)
    } catch (error) {
      if (error instanceof StoreUnavailable) return declined('store_unavailable')
      throw error
    }
  }
}

/** What the request wants to buy and how it pays; a sale if that is answered without the ledger. */
async function readAttempt(
  context: SaleContext,
  call: Call,
  rawPayment: RawPayment,
): Promise<Attempt | Sale> {
  if (call.kind === 'value' && rawPayment.kind === 'none') {
    const quote = await context.quotes.of({ ...call, items: call.items.length }, call.surface)
    return unpaid(context, { quote }, 'payment_required')
  }
  const purchased = await openPurchasedCall(call, { ...context, now: context.now() })
  if (purchased === null) return declined('task_not_found')
  const quote = await context.quotes.of(purchased, purchased.surface)
  const decoded = decodePayment(rawPayment, context.terms)
  if (decoded.kind === 'unpaid') return unpaid(context, { quote }, decoded.code)
  const { payment } = decoded
  const verdict = await context.judgeSignature(payment)
  if (verdict === 'out_of_form') {
    const isForOurTerms = acceptsTerms(payment, context.terms, purchased.items)
    return unpaid(context, { quote }, isForOurTerms ? 'payment_invalid_signature' : 'payment_terms_mismatch')
  }
  const { from: payer, nonce } = payment.authorization
  return {
    call: purchased,
    payment,
    quote,
    key: { network: NETWORK, asset: payment.token.asset, payer, nonce },
    identifiers: identifiersOf(context.keys, payment),
    recovered: verdict === 'recovered',
  }
}

/** Lets one request per authorization work at a time; copies of it share its answer. */
async function runOnce(context: SaleContext, flights: SingleFlight<Flight>, attempt: Attempt): Promise<Sale> {
  const { key } = attempt
  const until = context.timing.monotonicMs() + context.timing.waitMs
  for (;;) {
    const flight = await flights.run(`${key.asset}/${key.payer}/${key.nonce}`, async () => ({
      attempt,
      sale: await runSale(EXACT, startExact(context, attempt)),
    }))
    if (flight.kind === 'led') return flight.result.sale
    if (flight.kind === 'late' || flight.kind === 'crowded') return inDoubt({ context, attempt })
    if (isSameRequest(attempt, flight.result.attempt)) return asCopy(flight.result.sale, attempt)
    if (context.timing.monotonicMs() > until) return inDoubt({ context, attempt })
  }
}

function isSameRequest(mine: Attempt, its: Attempt): boolean {
  const { call, key, payment, identifiers } = mine
  return (
    sameBytes(call.fingerprints[0], its.call.fingerprints[0]) &&
    sameBytes(identifiers[0] ?? NO_IDENTIFIER, its.identifiers[0] ?? NO_IDENTIFIER) &&
    call.type === its.call.type &&
    call.taskFor(key)?.key === its.call.taskFor(key)?.key &&
    payment.signature === its.payment.signature &&
    payment.authorization.validBefore === its.payment.authorization.validBefore
  )
}

/** What a copy of a request is answered, maybe on another surface. */
function asCopy(sale: Sale, { quote }: Attempt): Sale {
  switch (sale.kind) {
    case 'sold':
      return { ...sale, replayed: true }
    case 'unpaid':
      return { ...sale, quote }
    case 'declined':
      return sale
  }
}
