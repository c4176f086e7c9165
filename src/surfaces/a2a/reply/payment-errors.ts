import type { ErrorCode } from '../../../errors.ts'

/** The error codes of a2a-x402, specification 0.2. */
export type X402ErrorCode =
  | 'EXPIRED_PAYMENT'
  | 'INVALID_SIGNATURE'
  | 'INSUFFICIENT_FUNDS'
  | 'DUPLICATE_NONCE'
  | 'NETWORK_MISMATCH'
  | 'INVALID_AMOUNT'
  | 'SETTLEMENT_FAILED'

const CODES: Partial<Record<ErrorCode, X402ErrorCode>> = {
  payment_expired: 'EXPIRED_PAYMENT',
  payment_not_yet_valid: 'EXPIRED_PAYMENT',
  payment_valid_too_long: 'EXPIRED_PAYMENT',
  payment_invalid_signature: 'INVALID_SIGNATURE',
  payment_insufficient_funds: 'INSUFFICIENT_FUNDS',
  payment_terms_mismatch: 'INVALID_AMOUNT',
  payment_already_used: 'DUPLICATE_NONCE',
  payment_identifier_conflict: 'DUPLICATE_NONCE',
  replay_window_over: 'DUPLICATE_NONCE',
}

export function x402ErrorCode(code: ErrorCode): X402ErrorCode {
  return CODES[code] ?? 'SETTLEMENT_FAILED'
}
