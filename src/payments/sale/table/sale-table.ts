import type { PaymentState } from '../../../ledger/payments/payment-row.ts'

/** The state of an authorization's row, or `new` without a row. */
export type SaleState = 'new' | PaymentState

export const STATE_MEANINGS: Readonly<Record<SaleState, string>> = {
  new: 'No row: this authorization was never seen here.',
  claimed:
    'Nothing was ever sent for it. One process holds it under a lease; after the lease any request may take it over.',
  settling:
    'A settlement may be under way, or is about to be sent. One process holds it under a lease; after the lease the outcome is unknown.',
  settled: 'Paid. The receipt is rebuilt from the row on every repetition.',
  refused:
    'A facilitator refused it for a reason that proves that nothing was sent. Reconciled until after `validBefore`, since a refusal may be wrong.',
  in_doubt:
    'Something may have been sent and the outcome is unknown. Only the chain can tell. The row says `denied` as its reason if a facilitator had the request and says that it did nothing with it (401, 403, 404, 429).',
  void: 'It was not charged and never can be.',
}

export const EVENT_MEANINGS = {
  // A request arrives.
  held: 'another process works on the row under a live lease',
  same: 'the identical call asks',
  other: 'a call with another value, type or task asks',
  other_authorization: 'another authorization under the same nonce asks, or one with another signature',
  throttled: 'this client has named too many differing calls under the authorization',
  locked: 'all clients together have named too many differing calls under it',
  late: 'the replay window is over',
  // This process holds the row.
  owned: 'this process holds the row and may send',
  exhausted: 'it was sent as often as it may be, or cannot be sent now',
  // A settlement was sent.
  accepted: 'the facilitator reports success for our payer, amount and network',
  not_sent: 'this machine knows that nothing left it',
  refused: 'the facilitator gives a reason that proves that nothing was sent',
  doubtful:
    'anything else: no reply, an error, an unknown reason, a denial that it did anything, or a reason that is not believed alone (SETTLEMENT_PROOF=chain, the payer does not have the amount, the authorization is over)',
  // The ledger has the outcome, or the chain was read.
  paid: 'the settlement is in the ledger',
  voided: 'the chain shows that it can never pay for this call',
  unused: 'the authorization is unused on the chain',
  unknown: 'the chain cannot be read or does not tell',
} as const

export type SaleEvent = keyof typeof EVENT_MEANINGS

export const STEP_MEANINGS = {
  wait: 'wait for the process that holds the row, then look again',
  claim:
    'check terms, time, signature, earlier payments and limits, compute the verdicts, write the row down as `settling`',
  take_over: 'check the same, then take the claim over for the call at hand',
  settle: 'compute the verdicts, record `settling`, send the settlement',
  send: 'send the settlement',
  doubt: 'record `in_doubt`: the process that was settling did not come back within its lease',
  record: 'record `settled`; with SETTLEMENT_PROOF=chain once the transfer is on the chain',
  let_go: 'release the row as it was before: 503 with what kept it, not charged',
  mark_refused: 'record `refused`: 402 with the reason',
  weigh_refusal: 'refuse if the facilitator gave a reason or the payer cannot pay, else it is in doubt',
  read_chain: 'read the chain',
  try_again:
    'check time, signature, earlier payments and limits; send a refused authorization again, at most 3 times',
  send_again:
    'send it again, unless this request has sent it, and at most 10 times; after that only the chain is read',
  answer_sold: 'attach the task of the request, answer with verdicts and receipt',
  say_in_doubt:
    'record `in_doubt` if this request has sent it, else attach its task: 503 `payment_in_doubt`, repeat unchanged',
  say_used: '409 `payment_already_used`; nothing is revealed',
  say_used_for_another:
    '409 `payment_already_used`; nothing is revealed, and a wallet may sign again, since this row cannot change any more',
  say_void: '402 `payment_expired`, or 409 `payment_already_used` if it was used before the claim',
  say_refused: '402 with the reason of the refusal',
  say_throttled: '429 `too_many_requests`',
  say_locked:
    '402 `payment_locked`: a new authorization for the same call is answered from this one, not charged',
  say_late: '409 `replay_window_over`',
} as const

export type StepName = keyof typeof STEP_MEANINGS

/** The step that follows from each event in each state. A pair that is missing cannot happen. */
export const SALE_TABLE: Readonly<Record<SaleState, Partial<Record<SaleEvent, StepName>>>> = {
  new: { same: 'claim' },
  claimed: {
    held: 'wait',
    same: 'take_over',
    other_authorization: 'say_used',
    owned: 'settle',
  },
  settling: {
    held: 'wait',
    same: 'doubt',
    other: 'say_used',
    other_authorization: 'say_used',
    throttled: 'say_throttled',
    locked: 'say_locked',
    owned: 'send',
    accepted: 'record',
    not_sent: 'let_go',
    refused: 'mark_refused',
    doubtful: 'read_chain',
    unused: 'weigh_refusal',
    unknown: 'say_in_doubt',
  },
  settled: {
    held: 'wait',
    same: 'answer_sold',
    other: 'say_used_for_another',
    other_authorization: 'say_used',
    throttled: 'say_throttled',
    locked: 'say_locked',
    late: 'say_late',
    paid: 'answer_sold',
  },
  refused: {
    held: 'wait',
    same: 'read_chain',
    other: 'say_used_for_another',
    other_authorization: 'say_used',
    throttled: 'say_throttled',
    locked: 'say_refused',
    owned: 'settle',
    exhausted: 'say_refused',
    unused: 'try_again',
    unknown: 'say_in_doubt',
  },
  in_doubt: {
    held: 'wait',
    same: 'read_chain',
    other: 'say_used',
    other_authorization: 'say_used',
    throttled: 'say_throttled',
    locked: 'say_locked',
    exhausted: 'say_in_doubt',
    accepted: 'record',
    not_sent: 'read_chain',
    refused: 'read_chain',
    doubtful: 'read_chain',
    unused: 'send_again',
    unknown: 'say_in_doubt',
  },
  void: {
    same: 'read_chain',
    other: 'say_used_for_another',
    other_authorization: 'say_used',
    throttled: 'say_throttled',
    locked: 'say_void',
    voided: 'say_void',
    unused: 'say_void',
    unknown: 'say_void',
  },
}

/** Throws for a pair that is not in the table: a defect. */
export function nextStep({ state }: { readonly state: SaleState }, event: SaleEvent): StepName {
  const step = SALE_TABLE[state][event]
  if (step === undefined) throw new Error(`a payment in ${state} has no step for ${event}`)
  return step
}
