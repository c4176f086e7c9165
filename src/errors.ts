/**
 * The one catalogue of outcomes that are not a verdict.
 *
 * Each entry is transport-neutral: `status` is the HTTP status REST answers with; A2A and MCP map the code to
 * their own wire. `detail` is a constant sentence: no entry ever carries a piece of the caller's input.
 * The same codes are documented one by one in `docs/errors.md`.
 */
export interface ErrorEntry {
  /** HTTP status. */
  readonly status: number
  /** Short human summary, constant per code. */
  readonly title: string
  /** What went wrong and what to do about it, constant per code. */
  readonly detail: string
}

const entry = (status: number, title: string, detail: string): ErrorEntry => ({ status, title, detail })

export const ERRORS = {
  value_missing: entry(
    400,
    'Value missing',
    'The body needs a member "value" that holds the string to check.',
  ),
  value_not_string: entry(400, 'Value is not a string', 'The member "value" has to be a JSON string.'),
  value_too_long: entry(
    400,
    'Value too long',
    'The member "value" may have at most 512 characters (Unicode code points).',
  ),
  value_not_unicode: entry(
    400,
    'Value is not Unicode text',
    'The member "value" holds a lone surrogate, which is not Unicode text.',
  ),
  unknown_field: entry(400, 'Unknown field', 'The body may have the member "value" and no other.'),
  not_json: entry(400, 'Body is not JSON', 'The body could not be read as JSON in UTF-8.'),
  not_an_object: entry(400, 'Body is not an object', 'The body has to be a JSON object: {"value": "..."}.'),
  query_not_allowed: entry(
    400,
    'Query string not allowed',
    'Send the value in the JSON body; a query string is never read.',
  ),
  payment_key_malformed: entry(
    400,
    'Payer or nonce malformed',
    'The path is /payments/{payer}/{nonce}: an address of 0x and 40, and a nonce of 0x and 64 hexadecimal digits.',
  ),
  payment_required: entry(
    402,
    'Payment required',
    'Pay with x402 version 2: sign one of the offered terms and repeat the request with a PAYMENT-SIGNATURE header. Nothing was charged.',
  ),
  payment_malformed: entry(
    402,
    'Payment could not be read',
    'The payment is not the base64 JSON of an x402 payload for the exact scheme. Nothing was charged.',
  ),
  payment_version_unsupported: entry(
    402,
    'x402 version not supported',
    'Payments are read in x402 version 2 (PAYMENT-SIGNATURE) and version 1 (X-PAYMENT). Nothing was charged.',
  ),
  payment_terms_mismatch: entry(
    402,
    'Payment does not match the terms',
    'The payment was made out for other terms than the ones offered (scheme, network, asset, payee or amount). Nothing was charged.',
  ),
  payment_expired: entry(
    402,
    'Payment expired',
    'The authorization has expired or has less than ten seconds left. Nothing was charged; sign a new one.',
  ),
  payment_not_yet_valid: entry(
    402,
    'Payment not yet valid',
    'The authorization becomes valid in the future. Nothing was charged.',
  ),
  payment_valid_too_long: entry(
    402,
    'Payment valid for too long',
    'The authorization is valid for longer than the offered time-out allows. Nothing was charged; sign one with the offered maxTimeoutSeconds.',
  ),
  payment_invalid_signature: entry(
    402,
    'Invalid signature',
    'The signature does not belong to the payer named in the authorization. Nothing was charged.',
  ),
  payment_insufficient_funds: entry(
    402,
    'Insufficient funds',
    'The payer does not hold the amount. Nothing was charged.',
  ),
  payment_locked: entry(
    402,
    'Payment locked',
    'Too many differing calls came under this payment. Sign a new one for the same call: it is answered from the earlier payment and not charged.',
  ),
  payment_refused: entry(402, 'Payment refused', 'The facilitator refused the payment. Nothing was charged.'),
  payment_already_used: entry(
    409,
    'Payment already used',
    'This authorization was already used for another call. Sign a new one for this call.',
  ),
  payment_identifier_conflict: entry(
    409,
    'Payment identifier already used',
    'This payment identifier was already used for another call. Choose a new one.',
  ),
  replay_window_over: entry(
    409,
    'Replay window over',
    'This payment was settled and answered; its answer can no longer be repeated. Sign a new authorization for a new check.',
  ),
  body_too_large: entry(413, 'Body too large', 'The request body is larger than this endpoint reads.'),
  unsupported_media_type: entry(
    415,
    'Unsupported media type',
    'Send the body as Content-Type: application/json in UTF-8.',
  ),
  unsupported_content_encoding: entry(
    415,
    'Unsupported content encoding',
    'Send the body without a content encoding.',
  ),
  task_not_found: entry(
    404,
    'Task not found',
    'There is no such task, or its life is over. Nothing was charged; send the value again.',
  ),
  payment_not_found: entry(
    404,
    'Payment not found',
    'No call was ever made here under this authorization, or it was never charged and is forgotten.',
  ),
  unknown_type: entry(
    404,
    'Unknown check type',
    'There is no such check type. GET /api/types lists the six.',
  ),
  not_found: entry(404, 'Not found', 'There is nothing at this path.'),
  method_not_allowed: entry(
    405,
    'Method not allowed',
    'This path does not answer that method; the Allow header lists those it does.',
  ),
  host_not_allowed: entry(
    403,
    'Host not allowed',
    'The Host header names a host this service does not answer for.',
  ),
  too_many_requests: entry(
    429,
    'Too many requests',
    'Too many unpaid or refused requests. Wait as long as Retry-After says.',
  ),
  payment_in_doubt: entry(
    503,
    'Payment in doubt',
    'It is not yet known whether the payment was settled. Do not sign a new payment; repeat this request unchanged after Retry-After.',
  ),
  facilitator_unavailable: entry(
    503,
    'Payment facilitator unavailable',
    'The payment could not be handed on. Nothing was charged; repeat this request unchanged later.',
  ),
  payment_state_unknown: entry(
    503,
    'Payment state not known',
    'The payment store does not answer, so nothing can be said of this payment. Do not sign a new one; ask again after Retry-After.',
  ),
  store_unavailable: entry(
    503,
    'Store unavailable',
    'The payment store does not answer. Nothing was charged by this request; repeat it unchanged later.',
  ),
  shutting_down: entry(
    503,
    'Shutting down',
    'This process is shutting down. Nothing was charged; repeat this request unchanged.',
  ),
  internal_error: entry(
    500,
    'Internal error',
    'The service failed on its own account. Nothing is known to have been charged; repeat this request unchanged.',
  ),
} as const satisfies Record<string, ErrorEntry>

/** A stable, machine-readable error code; its text never changes meaning. */
export type ErrorCode = keyof typeof ERRORS
