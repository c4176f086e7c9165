import type { DeclinedCode, UnpaidCode } from './sale.ts'

/**
 * What an answer promises about the authorization it was given for, until the end of time:
 * `never`: nothing that was sent before it will be charged. `charged`: it was charged. `open`: neither.
 */
export type ChargePromise = 'never' | 'charged' | 'open'

/**
 * The promise of every outcome that is not a verdict. The simulation of the sale holds the service to it; the catalogue
 * of errors says `charged` of the request, which may be one of several under an authorization.
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
  // By a facilitator's word alone.
  payment_refused: 'open',
  // The first call under it may have been charged.
  payment_locked: 'open',
  payment_already_used: 'open',
  // Of one voucher among several of a channel.
  channel_closing: 'open',
  channel_out_of_step: 'open',
  payment_identifier_conflict: 'never',
  replay_window_over: 'charged',
  // Said of a known authorization too.
  too_many_requests: 'open',
  payment_in_doubt: 'open',
  facilitator_unavailable: 'never',
  chain_unavailable: 'never',
  sales_paused: 'never',
  // Without the store nothing is known of it.
  store_unavailable: 'open',
  shutting_down: 'open',
  task_not_found: 'open',
}
