/**
 * The one catalogue of outcomes that are not a verdict.
 *
 * An entry is transport-neutral but for `status`, the HTTP status of REST, and the texts in `on`, for transports where
 * `detail` would name the wrong means. All texts are constants: no entry carries a piece of the caller's input.
 * `docs/errors.md` is generated from it.
 */

/** Whether the payment of this request was charged. */
export type Charged = false | true | 'unknown'

/**
 * What a client does next: nothing (`never`), correct the request (`fix`), send the same request with the same payment
 * (`unchanged`), or send it with a newly signed payment (`new_payment`).
 */
export type Retry = 'never' | 'fix' | 'unchanged' | 'new_payment'

export type Transport = 'rest' | 'a2a' | 'mcp'

export interface ErrorEntry {
  /** HTTP status. */
  readonly status: number
  readonly charged: Charged
  readonly retry: Retry
  /** Short human summary. */
  readonly title: string
  /** What went wrong and what to do about it. */
  readonly detail: string
  /** Replaces `detail` on a transport. */
  readonly on?: Partial<Readonly<Record<Transport, string>>>
}

const entry = (
  status: number,
  charged: Charged,
  retry: Retry,
  title: string,
  detail: string,
  on?: ErrorEntry['on'],
): ErrorEntry => ({ status, charged, retry, title, detail, ...(on && { on }) })

export const ERRORS = {
  value_missing: entry(
    400,
    false,
    'fix',
    'Value missing',
    'The body must have a member "value" with the string to check.',
    {
      mcp: 'The arguments must have a member "value" with the string to check.',
      a2a: 'The input must have a member "value" with the string to check.',
    },
  ),
  value_not_string: entry(
    400,
    false,
    'fix',
    'Value is not a string',
    'The member "value" must be a JSON string.',
  ),
  value_too_long: entry(
    400,
    false,
    'fix',
    'Value too long',
    'The member "value" may have at most 512 characters (Unicode code points).',
  ),
  value_not_unicode: entry(
    400,
    false,
    'fix',
    'Value is not Unicode text',
    'The member "value" has a lone surrogate, which is not Unicode text.',
  ),
  unknown_field: entry(
    400,
    false,
    'fix',
    'Unknown field',
    'The body may have the member "value" and no other.',
    {
      mcp: 'The arguments may have the member "value" and no other.',
      a2a: 'The input may have the member "value" and no other.',
    },
  ),
  not_json: entry(400, false, 'fix', 'Body is not JSON', 'The body is not JSON in UTF-8.'),
  not_an_object: entry(
    400,
    false,
    'fix',
    'Body is not an object',
    'The body must be a JSON object: {"value": "..."}.',
    {
      mcp: 'The arguments must be a JSON object: {"value": "..."}.',
      a2a: 'The input must be a JSON object: {"value": "..."}.',
    },
  ),
  list_missing: entry(
    400,
    false,
    'fix',
    'List missing',
    'The body must be {"values": ["..."]} for one check type, or {"items": [{"type": "...", "value": "..."}]} for several, and nothing else.',
    { mcp: 'The arguments must be {"items": [{"type": "...", "value": "..."}]} and nothing else.' },
  ),
  list_empty: entry(400, false, 'fix', 'List empty', 'The list must have at least one value.'),
  list_too_long: entry(400, false, 'fix', 'List too long', 'The list may have at most 1,000 values.'),
  item_not_an_object: entry(
    400,
    false,
    'fix',
    'Item is not an object',
    'Each item must be {"type": "...", "value": "..."}; "index" names the first that is not.',
  ),
  item_type_unknown: entry(
    400,
    false,
    'fix',
    'Unknown check type of an item',
    'The "type" of each item must be a check type that GET /api/types lists; "index" names the first that is not.',
  ),
  query_not_allowed: entry(
    400,
    false,
    'fix',
    'Query string not allowed',
    'Send the value in the JSON body; query strings are not read.',
    { mcp: 'Send the value in the arguments of a tool call; query strings are not read.' },
  ),
  payment_key_malformed: entry(
    400,
    false,
    'fix',
    'Payer or nonce malformed',
    'The path is /payments/{payer}/{nonce}: an address of 0x and 40, and a nonce of 0x and 64 hexadecimal digits.',
  ),
  payment_required: entry(
    402,
    false,
    'new_payment',
    'Payment required',
    'Nothing was charged. Sign one of the offered terms with an x402 client and repeat the request with a PAYMENT-SIGNATURE header.',
    {
      mcp: 'Nothing was charged. To get the result, repeat this call from a client with an x402 wallet, with the signed payment in _meta["x402/payment"]; without a wallet, tell the user the price.',
      a2a: 'Nothing was charged. Sign one of the offered terms with an x402 client and send the payment in x402.payment.payload, or repeat the request with a PAYMENT-SIGNATURE header.',
    },
  ),
  payment_malformed: entry(
    402,
    false,
    'new_payment',
    'Payment could not be read',
    'The payment is not the base64 JSON of an x402 payload for an offered scheme, or its payment identifier is not 16 to 128 letters, digits, - and _. Nothing was charged.',
    {
      mcp: 'The payment in _meta["x402/payment"] is not an x402 payload for an offered scheme, as an object or as base64 of its JSON, or its payment identifier is not 16 to 128 letters, digits, - and _. Nothing was charged.',
      a2a: 'The payment is not an x402 payload for an offered scheme, as an object or as base64 of its JSON, or its payment identifier is not 16 to 128 letters, digits, - and _. Nothing was charged.',
    },
  ),
  payment_version_unsupported: entry(
    402,
    false,
    'new_payment',
    'x402 version not supported',
    'Payments are read in x402 version 2 and version 1. Nothing was charged.',
  ),
  payment_terms_mismatch: entry(
    402,
    false,
    'new_payment',
    'Payment does not match the terms',
    'The payment was signed for terms that are not offered (scheme, network, asset, payee or amount). Nothing was charged.',
  ),
  payment_expired: entry(
    402,
    false,
    'new_payment',
    'Payment expired',
    'The authorization has expired or has less than ten seconds left. Nothing was charged; sign a new one. If this one was new, check your clock.',
  ),
  payment_not_yet_valid: entry(
    402,
    false,
    'new_payment',
    'Payment not yet valid',
    'The authorization becomes valid in the future. Nothing was charged; check your clock.',
  ),
  payment_valid_too_long: entry(
    402,
    false,
    'new_payment',
    'Payment valid for too long',
    'The authorization is valid for longer than the offered time-out allows. Nothing was charged; sign one with the offered maxTimeoutSeconds, and check your clock.',
  ),
  payment_invalid_signature: entry(
    402,
    false,
    'new_payment',
    'Invalid signature',
    'The signature does not belong to the payer named in the authorization. Nothing was charged.',
  ),
  payment_insufficient_funds: entry(
    402,
    false,
    'new_payment',
    'Insufficient funds',
    'The payer does not hold the amount. Nothing was charged.',
  ),
  payment_locked: entry(
    402,
    'unknown',
    'new_payment',
    'Payment locked',
    'Too many differing calls came under this payment. Sign a new one for the same call: it is answered from the earlier payment and not charged.',
  ),
  payment_refused: entry(
    402,
    'unknown',
    'new_payment',
    'Payment refused',
    'The facilitator refused the payment and says that it did not send it. Sign a new one for the same call; if this one was charged all the same, the answer comes from it and the new one is not charged.',
  ),
  channel_out_of_step: entry(
    402,
    false,
    'new_payment',
    'Voucher out of step',
    'The voucher is not the next one of its payment channel. Nothing was charged for this request; the terms carry the state of the channel to go on from.',
  ),
  channel_closing: entry(
    402,
    false,
    'new_payment',
    'Payment channel closing',
    'The payer is withdrawing from this payment channel, so nothing more is sold on it. Nothing was charged for this request; pay without a channel.',
  ),
  payment_already_used: entry(
    409,
    false,
    'new_payment',
    'Payment already used',
    'This authorization was already used for another call. This call was not charged; sign a new authorization for it.',
  ),
  payment_identifier_conflict: entry(
    409,
    false,
    'new_payment',
    'Payment identifier already used',
    'This payment identifier was already used for another call. This call was not charged; choose a new identifier.',
  ),
  replay_window_over: entry(
    409,
    true,
    'new_payment',
    'Replay window over',
    'This payment was settled and answered; its answer can no longer be repeated. Sign a new authorization for a new check.',
  ),
  body_too_large: entry(
    413,
    false,
    'fix',
    'Body too large',
    'The request body is larger than this endpoint reads.',
  ),
  unsupported_media_type: entry(
    415,
    false,
    'fix',
    'Unsupported media type',
    'Send the body as Content-Type: application/json in UTF-8.',
  ),
  unsupported_content_encoding: entry(
    415,
    false,
    'fix',
    'Unsupported content encoding',
    'Send the body without a content encoding.',
  ),
  task_not_found: entry(
    404,
    false,
    'fix',
    'Task not found',
    'Unknown or expired task. Nothing was charged by this request; send the value again without a task id.',
  ),
  payment_not_found: entry(
    404,
    false,
    'never',
    'Payment not found',
    'No call with this authorization is on record. If you sent one, repeat it before you sign again.',
  ),
  unknown_type: entry(
    404,
    false,
    'fix',
    'Unknown check type',
    'This check type does not exist. GET /api/types lists those that do.',
  ),
  not_found: entry(404, false, 'never', 'Not found', 'This path does not exist.'),
  method_not_allowed: entry(
    405,
    false,
    'fix',
    'Method not allowed',
    'This path does not support that method; the Allow header lists those it does.',
  ),
  host_not_allowed: entry(
    403,
    false,
    'never',
    'Host not allowed',
    'The Host header names a host this service does not answer for.',
  ),
  request_malformed: entry(
    400,
    false,
    'fix',
    'Request malformed',
    'The request is not HTTP that every party reads the same. The connection is closed.',
  ),
  request_timeout: entry(
    408,
    false,
    'unchanged',
    'Request timeout',
    'The request did not arrive in time. Nothing was charged; repeat it unchanged on a new connection.',
  ),
  headers_too_large: entry(
    431,
    false,
    'fix',
    'Headers too large',
    'The request headers are larger than 32 kB. The connection is closed.',
  ),
  too_many_connections: entry(
    503,
    false,
    'unchanged',
    'Too many connections',
    'Too many connections are open. Nothing was charged; repeat the request unchanged after Retry-After.',
  ),
  too_many_requests: entry(
    429,
    false,
    'unchanged',
    'Too many requests',
    'Too many unpaid or refused requests. This request was not charged; repeat it unchanged after Retry-After.',
  ),
  payment_in_doubt: entry(
    503,
    'unknown',
    'unchanged',
    'Payment in doubt',
    'It is not yet known whether the payment was settled. Do not sign a new payment; repeat this request unchanged after Retry-After.',
    {
      mcp: 'It is not yet known whether the payment was settled. Do not sign a new payment; repeat this call unchanged, with the same payment in _meta["x402/payment"].',
    },
  ),
  facilitator_unavailable: entry(
    503,
    false,
    'unchanged',
    'Payment facilitator unavailable',
    'The payment could not be submitted. Nothing was charged; repeat this request unchanged later.',
  ),
  payment_state_unknown: entry(
    503,
    'unknown',
    'unchanged',
    'Payment state not known',
    'The payment store does not answer, so the state of this payment is unknown. Do not sign a new one; ask again after Retry-After.',
  ),
  store_unavailable: entry(
    503,
    false,
    'unchanged',
    'Store unavailable',
    'The payment store does not answer. Nothing was charged by this request; repeat it unchanged later.',
  ),
  shutting_down: entry(
    503,
    false,
    'unchanged',
    'Shutting down',
    'This process is shutting down. Nothing was charged; repeat this request unchanged.',
  ),
  internal_error: entry(
    500,
    'unknown',
    'unchanged',
    'Internal error',
    'The service failed. Nothing was recorded as charged; repeat this request unchanged.',
  ),
} as const satisfies Record<string, ErrorEntry>

/** A stable, machine-readable error code; its meaning never changes. */
export type ErrorCode = keyof typeof ERRORS

/** What is said in place of the detail where one item of a list is out of form; the same on every transport. */
export const ITEM_DETAILS: Partial<Readonly<Record<ErrorCode, string>>> = {
  value_missing:
    'Each item must have a member "value" with the string to check; "index" names the first without.',
  value_not_string: 'Each value of a list must be a JSON string; "index" names the first that is not.',
  value_too_long:
    'Each value of a list may have at most 512 characters (Unicode code points); "index" names the first that is longer.',
  value_not_unicode:
    'A value of the list has a lone surrogate, which is not Unicode text; "index" names the first such value.',
  unknown_field:
    'Each item may have the members "type" and "value" and no other; "index" names the first that has more.',
}

/** The detail of a code in words that fit a transport. */
export function detailOn(code: ErrorCode, transport: Transport): string {
  const { detail, on }: ErrorEntry = ERRORS[code]
  return on?.[transport] ?? detail
}

/** The detail of a code of one item of a list. */
export function itemDetailOn(code: ErrorCode, transport: Transport): string {
  return ITEM_DETAILS[code] ?? detailOn(code, transport)
}

/** What a client may conclude from a code, for programs; the same on every transport. */
export function consequencesOf(code: ErrorCode): { readonly charged: Charged; readonly retry: Retry } {
  const { charged, retry } = ERRORS[code]
  return { charged, retry }
}
