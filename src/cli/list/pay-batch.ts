import type { PaymentPayload } from '@x402/core/types'
import type { ListBuyer } from '../../buyer/list-buyer.ts'
import { paymentStateUrl } from '../../buyer/payment-state-url.ts'
import type { NotSigned, PurchaseOutcome } from '../../buyer/purchase.ts'
import type { FinalReply } from '../../buyer/retry.ts'
import type { Wallet } from '../../buyer/wallet.ts'
import type { Verdict } from '../../checks/verdict.ts'
import type { Checked, RowResult } from './checked-row.ts'
import type { Journal, PendingPayment } from './journal.ts'

/** Where the result of a row will be. */
export interface Slot {
  result?: RowResult
}

/** Values that one payment buys, with their keys and slots in the same order. */
export interface Batch {
  readonly keys: string[]
  readonly values: string[]
  readonly slots: Slot[]
}

/** Why a purchase ended before the end of its list. */
export type Stop =
  | { readonly kind: 'interrupted' }
  | { readonly kind: 'max_spend' }
  | { readonly kind: 'not_bought'; readonly outcome: NotSigned | PurchaseOutcome }
  /** The input no longer has all values of an earlier payment, so that it cannot be sent again. */
  | { readonly kind: 'changed'; readonly state: string }

export interface Payer {
  /** Base URL of the service. */
  readonly url: string
  readonly buyer: ListBuyer
  readonly wallet: Wallet
  readonly journal: Journal
  /** The most to spend on this list, earlier runs included; atomic units. */
  readonly maxSpend: bigint | null
  /** Aborted: no further payment is signed. */
  readonly signal: AbortSignal
}

/** Quotes, signs, notes and pays for one batch; returns null if it has its results. */
export async function payBatch(payer: Payer, batch: Batch): Promise<Stop | null> {
  const { buyer, wallet, journal, maxSpend, signal } = payer
  const quote = await buyer.quote(batch.values)
  if (quote.kind !== 'quoted') return { kind: 'not_bought', outcome: quote }
  const payload = await wallet.sign(quote.required, quote.terms)
  if (signal.aborted) return { kind: 'interrupted' }
  // Without an await in between, no other payment can be noted after the sum was taken.
  const { spent, uncertain } = journal.totals()
  if (maxSpend !== null && spent + uncertain + quote.amount > maxSpend) return { kind: 'max_spend' }
  const payment = journal.begin({ payload, amount: quote.amount, keys: batch.keys })
  const reply = await buyer.send(batch.values, payload)
  if (reply.kind === 'sold') return fill(batch, journal, payment, reply.result)
  // A 402 means that nothing was charged. Any other payment stays in the journal, to be sent again.
  if (reply.kind === 'unpaid') journal.void(payment)
  return notBought(reply, payload, payer.url)
}

/** Codes of a payment that was made and whose answer the service no longer gives. */
const ANSWER_LOST: readonly string[] = ['replay_window_over', 'payment_already_used']

/** Sends a payment of an earlier run again, unchanged; "not_charged" if its values may be bought again. */
export async function resendPayment(
  { buyer, journal, url }: Payer,
  batch: Batch,
  payment: PendingPayment,
): Promise<Stop | 'not_charged' | null> {
  const reply = await buyer.send(batch.values, payment.payload)
  if (reply.kind === 'sold') return fill(batch, journal, payment.id, reply.result)
  if (reply.kind === 'unpaid') {
    journal.void(payment.id)
    return 'not_charged'
  }
  if (!ANSWER_LOST.includes(reply.code)) return notBought(reply, payment.payload, url)
  journal.lose(payment.id)
  for (const slot of batch.slots) slot.result = { kind: 'skipped', code: 'answer_lost' }
  return null
}

function fill({ slots }: Batch, journal: Journal, payment: number, verdicts: readonly Verdict[]): null {
  const results = verdicts.map(checkedOf)
  journal.settle(payment, results)
  for (const [at, result] of results.entries()) {
    const slot = slots[at]
    if (slot !== undefined) slot.result = result
  }
  return null
}

const checkedOf = ({ valid, reason, normalized, details }: Verdict): Checked => ({
  kind: 'checked',
  valid,
  code: details.code,
  reason,
  normalized,
})

function notBought(
  reply: Exclude<FinalReply<readonly Verdict[]>, { kind: 'sold' }>,
  payload: PaymentPayload,
  url: string,
): Stop {
  const { status, code, detail } = reply
  const refusal = { status, code, detail }
  const outcome =
    reply.kind === 'in_doubt'
      ? ({ kind: 'in_doubt', ...refusal, state: paymentStateUrl(payload, url) } as const)
      : ({ kind: 'refused', ...refusal } as const)
  return { kind: 'not_bought', outcome }
}
