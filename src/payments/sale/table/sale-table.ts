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
  unread: 'the ledger was not read yet',
  unseen: 'the ledger has no row',
  raced: 'the claim was not taken, or another payment for the same call is there',
  held: 'another process works on the row under a live lease',
  restoring: 'a restore has written the row and not yet proved it',
  same: 'the identical call asks',
  other: 'a call with another value, type or task asks',
  other_authorization: 'another authorization under the same nonce asks, or one with another signature',
  unproven: 'the signature is not the own key of the payer, and the row records no accepted one',
  throttled: 'this client has named too many differing calls under the authorization',
  locked: 'all clients together have named too many differing calls under it',
  late: 'the replay window is over',
  owned: 'this process holds the row and may send',
  preceded: 'another payment for the same call comes first',
  // A settlement was sent.
  accepted: 'the facilitator reports success for our payer, amount and network',
  not_sent: 'this machine knows that nothing left it',
  refused:
    'the facilitator gives a reason that proves that nothing was sent, or the chain shows that the payer cannot pay',
  doubtful:
    'anything else: no reply, an error, an unknown reason, a denial that it did anything, or a reason that is not believed alone (SETTLEMENT_PROOF=chain, the payer does not have the amount, the authorization is over)',
  paid: 'the settlement is in the ledger',
  voided: 'the chain shows that it can never pay for this call',
  unused: 'the authorization is unused on the chain',
  unknown: 'the chain cannot be read or does not tell',
} as const

export type SaleEvent = keyof typeof EVENT_MEANINGS

/** What a row of the table may ask before its step is taken. */
export const GUARD_MEANINGS = {
  may_claim_unread:
    'the payer has paid here before, this process has not seen the nonce, and the payment fits the terms',
  sent: 'this request has sent it',
  needs_proof: 'SETTLEMENT_PROOF=chain',
  refusal_given: 'the facilitator has refused it',
  may_be_under_way: 'the facilitator says that it is under way, or that it did nothing with it',
  refused_often: 'it was sent three times',
  sent_often: 'it was sent ten times',
  not_now: 'its time is over or has not begun, or sales are paused',
  used_before_claim: 'it was used before it was claimed',
  restored: 'a restore has written the row',
} as const

export type GuardName = keyof typeof GUARD_MEANINGS

export const STEP_MEANINGS = {
  claim_unread: 'claim it without reading the ledger, unless another payment for the same call is there',
  read_row: 'read its row from the ledger',
  wait: 'wait for the process that holds the row, then look again',
  claim:
    'check terms, time, signature, earlier payments and limits, compute the verdicts, write the row down as `settling`',
  take_over: 'check the same, then take the claim over for the call at hand',
  settle: 'compute the verdicts, record `settling`, send the settlement',
  send: 'send the settlement',
  doubt: 'record `in_doubt`: the process that was settling did not come back within its lease',
  record: 'record `settled`',
  await_transfer: 'record `settled` once the transfer is on the chain',
  release_unsent: 'release the row as it was before: 503 with what kept it, not charged',
  record_refusal: 'record `refused`: 402 with the reason',
  read_balance: 'refuse if the payer cannot pay',
  read_chain: 'read the chain',
  try_again: 'check time, signature, earlier payments and limits; send a refused authorization again',
  send_again: 'send it again; only a success is believed',
  answer_sold: 'attach the task of the request, answer with verdicts and receipt',
  record_doubt: 'record `in_doubt`: 503 `payment_in_doubt`, repeat unchanged',
  answer_in_doubt: 'attach the task of the request: 503 `payment_in_doubt`, repeat unchanged',
  answer_unproven: '503 `payment_in_doubt`, repeat unchanged',
  answer_unsigned: '402 `payment_invalid_signature`',
  answer_used: '409 `payment_already_used`; nothing is revealed',
  answer_used_for_another:
    '409 `payment_already_used`; nothing is revealed, and a wallet may sign again, since this row cannot change any more',
  answer_expired: '402 `payment_expired`',
  answer_refused: '402 with the reason of the refusal',
  answer_throttled: '429 `too_many_requests`',
  answer_locked:
    '402 `payment_locked`: a new authorization for the same call is answered from this one, not charged',
  answer_late: '409 `replay_window_over`',
} as const

export type StepName = keyof typeof STEP_MEANINGS

/** The first row whose guard is true decides. */
export type Steps<Step> = Step | readonly { readonly when?: GuardName; readonly step: Step }[]

const IN_DOUBT = [{ when: 'sent', step: 'record_doubt' }, { step: 'answer_in_doubt' }] as const
const VOID = [{ when: 'used_before_claim', step: 'answer_used' }, { step: 'answer_expired' }] as const

/** The step that follows from each event in each state. A pair that is missing cannot happen. */
export const SALE_TABLE: Readonly<Record<SaleState, Partial<Record<SaleEvent, Steps<StepName>>>>> = {
  new: {
    unread: [{ when: 'may_claim_unread', step: 'claim_unread' }, { step: 'read_row' }],
    raced: 'read_row',
    unseen: 'claim',
  },
  claimed: {
    held: 'wait',
    restoring: 'wait',
    same: 'take_over',
    other_authorization: 'answer_used',
    owned: 'settle',
  },
  settling: {
    held: 'wait',
    restoring: 'wait',
    same: 'doubt',
    other: 'answer_used',
    other_authorization: 'answer_used',
    unproven: 'answer_unsigned',
    throttled: 'answer_throttled',
    locked: 'answer_locked',
    owned: 'send',
    accepted: [{ when: 'needs_proof', step: 'await_transfer' }, { step: 'record' }],
    not_sent: 'release_unsent',
    refused: 'record_refusal',
    doubtful: 'read_chain',
    unused: [
      { when: 'refusal_given', step: 'record_refusal' },
      { when: 'may_be_under_way', step: 'record_doubt' },
      { step: 'read_balance' },
    ],
    unknown: IN_DOUBT,
  },
  settled: {
    held: 'wait',
    same: 'answer_sold',
    other: 'answer_used_for_another',
    other_authorization: 'answer_used',
    unproven: [{ when: 'restored', step: 'answer_unproven' }, { step: 'answer_unsigned' }],
    throttled: 'answer_throttled',
    locked: 'answer_locked',
    late: 'answer_late',
    paid: 'answer_sold',
  },
  refused: {
    held: 'wait',
    restoring: 'wait',
    same: 'read_chain',
    other: 'answer_used_for_another',
    other_authorization: 'answer_used',
    unproven: 'answer_unsigned',
    throttled: 'answer_throttled',
    locked: 'answer_refused',
    owned: 'settle',
    unused: [{ when: 'refused_often', step: 'answer_refused' }, { step: 'try_again' }],
    unknown: IN_DOUBT,
  },
  in_doubt: {
    held: 'wait',
    restoring: 'wait',
    same: 'read_chain',
    other: 'answer_used',
    other_authorization: 'answer_used',
    unproven: 'answer_unsigned',
    throttled: 'answer_throttled',
    locked: 'answer_locked',
    preceded: IN_DOUBT,
    accepted: [{ when: 'needs_proof', step: 'await_transfer' }, { step: 'record' }],
    not_sent: 'read_chain',
    refused: 'read_chain',
    doubtful: 'read_chain',
    unused: [
      { when: 'sent', step: 'record_doubt' },
      { when: 'sent_often', step: 'answer_in_doubt' },
      { when: 'not_now', step: 'answer_in_doubt' },
      { step: 'send_again' },
    ],
    unknown: IN_DOUBT,
  },
  void: {
    restoring: 'wait',
    same: [{ when: 'used_before_claim', step: 'read_chain' }, { step: 'answer_expired' }],
    other: 'answer_used_for_another',
    other_authorization: 'answer_used',
    unproven: 'answer_unsigned',
    throttled: 'answer_throttled',
    locked: VOID,
    voided: VOID,
    unused: VOID,
    unknown: VOID,
  },
}

/** What an earlier payment of the payer for the same call is to a new one. */
export const EARLIER_EVENTS = {
  held: 'another process works on it under a live lease',
  free: 'no process works on it',
  late: 'its replay window is over',
} as const

export type EarlierEvent = keyof typeof EARLIER_EVENTS

export const EARLIER_STEPS = {
  ignore: 'the call is another purchase',
  wait: 'wait, then look again',
  doubt: 'record it as `in_doubt`, then look again',
  answer_sold: 'answer with its verdicts and receipt',
  believe_transfer: 'answer from it if the chain shows its transfer: its refusal was wrong',
  read_chain:
    'answer from it if the chain shows its transfer, wait for its end, or ignore it once it is void',
} as const

export type EarlierStep = keyof typeof EARLIER_STEPS

/** How an earlier payment for the same call answers a new authorization, so that the call is not charged twice. */
export const EARLIER_TABLE: Readonly<
  Record<PaymentState, Readonly<Partial<Record<EarlierEvent, EarlierStep>>>>
> = {
  // Nothing was sent for a claim without a live lease.
  claimed: { held: 'wait', free: 'ignore' },
  settling: { held: 'wait', free: 'doubt' },
  settled: { held: 'answer_sold', free: 'answer_sold', late: 'ignore' },
  refused: { held: 'wait', free: 'believe_transfer' },
  in_doubt: { held: 'wait', free: 'read_chain' },
  void: { held: 'ignore', free: 'ignore' },
}
