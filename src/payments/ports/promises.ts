import type { DeclinedCode, UnpaidCode } from './sale.ts'

/**
 * What an answer promises for good about the authorization it is given for. `never`: nothing sent before the answer
 * will be charged. `charged`: it was charged. `open`: nothing is promised.
 */
export type ChargePromise = 'never' | 'charged' | 'open'

/**
 * The simulation of the sale holds the service to these. `charged` in the catalogue of errors is about the request
 * alone: several requests may come with one authorization.
 */
export const PROMISES: Readonly<Record<UnpaidCode | DeclinedCode, ChargePromise>> = {
  payment_required: 'never',
  payment_malformed: 'never',
  payment_version_unsupported: 'never',
  payment_terms_mismatch: 'never',
  payment_expired: 'never',
  payment_not_yet_valid: 'never',
  payment_valid_too_long: 'never',
  payment_invalid_signature: 'never',
  payment_insufficient_funds: 'never',
  // Only the facilitator says so.
  payment_refused: 'open',
  // The first call under it may have been charged.
  payment_locked: 'open',
  payment_already_used: 'open',
  // Another voucher of the channel may have been charged.
  channel_closing: 'open',
  channel_out_of_step: 'open',
  payment_identifier_conflict: 'never',
  replay_window_over: 'charged',
  // Also answered for an authorization that is known.
  too_many_requests: 'open',
  payment_in_doubt: 'open',
  facilitator_unavailable: 'never',
  chain_unavailable: 'never',
  clock_wrong: 'never',
  sales_paused: 'never',
  // Without the store the state of the payment is unknown.
  store_unavailable: 'open',
  shutting_down: 'open',
  task_not_found: 'open',
}
