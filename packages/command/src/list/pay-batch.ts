import { describe } from '../buy/describe-purchase.ts'
import { clockFault } from '../buyer/clocks.ts'
import type { ListBuyer } from '../buyer/list-buyer.ts'
import { isNeverCharged, notBought } from '../buyer/not-bought.ts'
import { paymentStateUrl } from '../buyer/payment-state-url.ts'
import type { Wallet } from '../buyer/wallet.ts'
import type { Journal, PendingPayment } from './journal.ts'
import { type Batch, fill, itemsOf, lose, mostValues, type Stop } from './list-payer.ts'

export interface PayerOptions {
  readonly url: string
  readonly buyer: ListBuyer
  readonly wallet: Wallet
  readonly journal: Journal
  /** The most to spend on this list, earlier runs included; atomic units. */
  readonly maxSpend: bigint | null
  /** When aborted, no further payment is signed. */
  readonly signal: AbortSignal
}

/** Pays for the batches of a list; a payment is in the journal before it is sent. */
export const createPayer = (options: PayerOptions) => ({
  /** Quotes, signs, notes and pays for one batch; returns null if it has its results. */
  pay: (batch: Batch) => payBatch(options, batch),
  /** Sends a payment of an earlier run again, unchanged; "not_charged" if its values may be bought again. */
  resend: (batch: Batch, payment: PendingPayment) => resendPayment(options, batch, payment),
  /** What a person can look a payment up by. */
  stateOf: ({ payload }: PendingPayment) => paymentStateUrl(payload, options.url),
})

export type ListPayer = ReturnType<typeof createPayer>

async function payBatch(options: PayerOptions, batch: Batch): Promise<Stop | null> {
  const { buyer, wallet, journal, maxSpend, signal, url } = options
  const items = itemsOf(batch)
  const quote = await buyer.quote(items)
  if (quote.kind !== 'quoted') return { kind: 'not_bought', words: describe(quote) }
  const fault = clockFault(quote)
  if (fault !== null) return { kind: 'not_bought', words: describe(fault) }
  const payload = await wallet.sign(quote.required, quote.terms)
  if (signal.aborted) return { kind: 'interrupted' }
  // No await until the payment is in the journal, or another payment could be added after the sum was taken.
  const most = mostValues(journal, batch.length, quote.amount, maxSpend)
  if (most < batch.length) {
    const stop: Stop = { kind: 'max_spend', refused: journal.totals().refused }
    // A smaller payment uses up the limit.
    return most === 0 ? stop : ((await payBatch(options, batch.slice(0, most))) ?? stop)
  }
  const payment = journal.begin({ payload, amount: quote.amount, keys: batch.map(({ key }) => key) })
  const reply = await buyer.send(items, payload)
  if (reply.kind === 'sold') return fill(batch, journal, payment, reply)
  // Any other payment may have been charged, so it stays in the journal to be sent again.
  if (reply.kind === 'unpaid' && isNeverCharged(reply.code)) journal.refuse(payment)
  return { kind: 'not_bought', words: describe(notBought(reply, payload, url)) }
}

/** Codes of a payment that was made and whose answer the service no longer gives. */
const ANSWER_LOST: readonly string[] = ['replay_window_over', 'payment_already_used']

async function resendPayment(
  { buyer, journal, url }: PayerOptions,
  batch: Batch,
  payment: PendingPayment,
): Promise<Stop | 'not_charged' | null> {
  const reply = await buyer.send(itemsOf(batch), payment.payload)
  if (reply.kind === 'sold') return fill(batch, journal, payment.id, reply)
  if (reply.kind === 'unpaid' && isNeverCharged(reply.code)) {
    journal.refuse(payment.id)
    return 'not_charged'
  }
  if (ANSWER_LOST.includes(reply.code)) return lose(batch, journal, payment.id)
  return { kind: 'not_bought', words: describe(notBought(reply, payment.payload, url)) }
}
