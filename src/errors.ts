/**
 * The one catalogue of outcomes that are not a verdict; `docs/errors.md` follows from it. No entry carries a piece of
 * the caller's input.
 */

/** Whether the payment of this request was charged. */
export type Charged = false | true | 'unknown'

/** Do nothing, correct the request, send it again with the same payment, or send it with a newly signed one. */
export type Retry = 'never' | 'fix' | 'unchanged' | 'new_payment'

/** How the sale of a call ends with a code: with terms, since another payment is welcome, or without. */
export type SaleEnd = 'unpaid' | 'declined'

/**
 * What an answer promises for good about its authorization. `never`: nothing sent before the answer will be charged.
 * `charged`: it was charged. `open`: nothing. The simulation of the sale holds the service to it. `charged` of an entry
 * is about the request alone.
 */
export type ChargePromise = 'never' | 'charged' | 'open'

export type Transport = 'rest' | 'a2a' | 'mcp'

/** Whose fault it is. What is the service's counts against no client. */
export type Fault = 'client' | 'service'

/** Codes of the x402 extension of A2A, version 0.2. */
export type X402ErrorCode =
  | 'EXPIRED_PAYMENT'
  | 'INVALID_SIGNATURE'
  | 'INSUFFICIENT_FUNDS'
  | 'DUPLICATE_NONCE'
  | 'NETWORK_MISMATCH'
  | 'INVALID_AMOUNT'
  | 'SETTLEMENT_FAILED'

export interface ErrorEntry {
  readonly fault: Fault
  /** HTTP status, over REST. */
  readonly status: number
  readonly charged: Charged
  readonly retry: Retry
  readonly title: string
  readonly detail: string
  /** False if a check over REST never answers with it. */
  readonly rest?: false
  /** Of a code that can answer a call with a payment, as is `promise`. */
  readonly end?: SaleEnd
  readonly promise?: ChargePromise
  /** True if the buyer's clock may be at fault: the answer has the time of the service. */
  readonly time?: true
  /** The code of x402 over A2A; SETTLEMENT_FAILED if none fits better. */
  readonly x402?: X402ErrorCode
  /** Replaces `detail` on a transport where it would name the wrong means. */
  readonly on?: Partial<Readonly<Record<Transport, string>>>
}

/** The request is refused before its payment is read. */
const BAD_REQUEST = { fault: 'client', status: 400, charged: false, retry: 'fix' } as const
/** The payment is refused, and nothing was handed on. */
const UNPAID = {
  fault: 'client',
  status: 402,
  charged: false,
  retry: 'new_payment',
  end: 'unpaid',
  promise: 'never',
} as const
/** As UNPAID, for an authorization that is not valid now, or for too long. */
const OUT_OF_TIME = { ...UNPAID, time: true, x402: 'EXPIRED_PAYMENT' } as const
/** Nothing was handed on, for a reason of the service that passes; the same payment may pay later. */
const NOT_NOW = { fault: 'service', status: 503, charged: false, retry: 'unchanged' } as const
/** As NOT_NOW, for a call whose payment was read. */
const NOT_SETTLED = { ...NOT_NOW, end: 'declined', promise: 'never' } as const
/** A call that another payment would not help; what became of its payment is open. */
const DECLINED = { end: 'declined', promise: 'open' } as const

export const ERRORS = {
  value_missing: {
    ...BAD_REQUEST,
    title: 'Value missing',
    detail: 'The body must have a member "value" with the string to check.',
    on: {
      mcp: 'The arguments must have a member "value" with the string to check.',
      a2a: 'The input must have a member "value" with the string to check.',
    },
  },
  value_not_string: {
    ...BAD_REQUEST,
    title: 'Value is not a string',
    detail: 'The member "value" must be a JSON string.',
  },
  value_too_long: {
    ...BAD_REQUEST,
    title: 'Value too long',
    detail: 'The member "value" may have at most 512 characters (Unicode code points).',
  },
  value_not_unicode: {
    ...BAD_REQUEST,
    title: 'Value is not Unicode text',
    detail: 'The member "value" has a lone surrogate, which is not Unicode text.',
  },
  unknown_field: {
    ...BAD_REQUEST,
    title: 'Unknown field',
    detail: 'The body may have the member "value" and no other.',
    on: {
      mcp: 'The arguments may have the member "value" and no other.',
      a2a: 'The input may have the member "value" and no other.',
    },
  },
  not_json: {
    ...BAD_REQUEST,
    title: 'Body is not JSON',
    detail: 'The body is not JSON in UTF-8.',
  },
  not_an_object: {
    ...BAD_REQUEST,
    title: 'Body is not an object',
    detail: 'The body must be a JSON object: {"value": "..."}.',
    on: {
      mcp: 'The arguments must be a JSON object: {"value": "..."}.',
      a2a: 'The input must be a JSON object: {"value": "..."}.',
    },
  },
  list_missing: {
    ...BAD_REQUEST,
    title: 'List missing',
    detail:
      'The body must be {"values": ["..."]} for one check type, or {"items": [{"type": "...", "value": "..."}]} for several, and nothing else.',
    on: { mcp: 'The arguments must be {"items": [{"type": "...", "value": "..."}]} and nothing else.' },
  },
  list_empty: {
    ...BAD_REQUEST,
    title: 'List empty',
    detail: 'The list must have at least one value.',
  },
  list_too_long: {
    ...BAD_REQUEST,
    title: 'List too long',
    detail: 'The list may have at most 1,000 values.',
  },
  item_not_an_object: {
    ...BAD_REQUEST,
    title: 'Item is not an object',
    detail: 'Each item must be {"type": "...", "value": "..."}; "index" names the first that is not.',
  },
  item_type_unknown: {
    ...BAD_REQUEST,
    title: 'Unknown check type of an item',
    detail:
      'The "type" of each item must be a check type that GET /api/types lists; "index" names the first that is not.',
  },
  query_not_allowed: {
    ...BAD_REQUEST,
    title: 'Query string not allowed',
    detail: 'Send the value in the JSON body; query strings are not read.',
    on: { mcp: 'Send the value in the arguments of a tool call; query strings are not read.' },
  },
  payment_key_malformed: {
    ...BAD_REQUEST,
    rest: false,
    title: 'Payer or nonce malformed',
    detail:
      'The path is /payments/{payer}/{nonce}: an address of 0x and 40, and a nonce of 0x and 64 hexadecimal digits.',
  },
  payment_required: {
    ...UNPAID,
    title: 'Payment required',
    detail:
      'Nothing was charged. Sign one of the offered terms with an x402 client and repeat the request with a PAYMENT-SIGNATURE header.',
    on: {
      mcp: 'Nothing was charged. To get the result, repeat this call from a client with an x402 wallet, with the signed payment in _meta["x402/payment"]; without a wallet, tell the user the price.',
      a2a: 'Nothing was charged. Sign one of the offered terms with an x402 client and send the payment in x402.payment.payload, or repeat the request with a PAYMENT-SIGNATURE header.',
    },
  },
  payment_malformed: {
    ...UNPAID,
    title: 'Payment could not be read',
    detail:
      'The payment is not the base64 JSON of an x402 payload for an offered scheme, or its payment identifier is not 16 to 128 letters, digits, - and _. Nothing was charged.',
    on: {
      mcp: 'The payment in _meta["x402/payment"] is not an x402 payload for an offered scheme, as an object or as base64 of its JSON, or its payment identifier is not 16 to 128 letters, digits, - and _. Nothing was charged.',
      a2a: 'The payment is not an x402 payload for an offered scheme, as an object or as base64 of its JSON, or its payment identifier is not 16 to 128 letters, digits, - and _. Nothing was charged.',
    },
  },
  payment_version_unsupported: {
    ...UNPAID,
    title: 'x402 version not supported',
    detail: 'Payments are read in x402 version 2 and version 1. Nothing was charged.',
  },
  payment_terms_mismatch: {
    ...UNPAID,
    x402: 'INVALID_AMOUNT',
    title: 'Payment does not match the terms',
    detail:
      'The payment was signed for terms that are not offered (scheme, network, asset, payee or amount). Nothing was charged.',
  },
  payment_expired: {
    ...OUT_OF_TIME,
    title: 'Payment expired',
    detail:
      'The authorization has expired or has less than ten seconds left. Nothing was charged; sign a new one. If this one was new, check your clock.',
  },
  payment_not_yet_valid: {
    ...OUT_OF_TIME,
    title: 'Payment not yet valid',
    detail: 'The authorization becomes valid in the future. Nothing was charged; check your clock.',
  },
  payment_valid_too_long: {
    ...OUT_OF_TIME,
    title: 'Payment valid for too long',
    detail:
      'The authorization is valid for longer than the offered time-out allows. Nothing was charged; sign one with the offered maxTimeoutSeconds, and check your clock.',
  },
  payment_invalid_signature: {
    ...UNPAID,
    x402: 'INVALID_SIGNATURE',
    title: 'Invalid signature',
    detail: 'The signature does not belong to the payer named in the authorization. Nothing was charged.',
  },
  payment_insufficient_funds: {
    ...UNPAID,
    x402: 'INSUFFICIENT_FUNDS',
    title: 'Insufficient funds',
    detail: 'The payer does not hold the amount. Nothing was charged.',
  },
  payment_locked: {
    // The first call under it may have been charged.
    ...UNPAID,
    charged: 'unknown',
    promise: 'open',
    title: 'Payment locked',
    detail:
      'Too many differing calls came under this payment. Sign a new one for the same call: it is answered from the earlier payment and not charged.',
  },
  payment_refused: {
    // Only the facilitator says so.
    ...UNPAID,
    charged: 'unknown',
    promise: 'open',
    title: 'Payment refused',
    detail:
      'The facilitator refused the payment and says that it did not send it. Sign a new one for the same call; if this one was charged all the same, the answer comes from it and the new one is not charged.',
  },
  channel_out_of_step: {
    // Another voucher of the channel may have been charged.
    ...UNPAID,
    promise: 'open',
    title: 'Voucher out of step',
    detail:
      'The voucher is not the next one of its payment channel. Nothing was charged for this request; the terms carry the state of the channel to go on from.',
  },
  channel_closing: {
    // Another voucher of the channel may have been charged.
    ...UNPAID,
    promise: 'open',
    title: 'Payment channel closing',
    detail:
      'The payer is withdrawing from this payment channel, so nothing more is sold on it. Nothing was charged for this request; pay without a channel.',
  },
  payment_already_used: {
    ...DECLINED,
    x402: 'DUPLICATE_NONCE',
    fault: 'client',
    status: 409,
    charged: false,
    retry: 'new_payment',
    title: 'Payment already used',
    detail:
      'This authorization was already used for another call. This call was not charged; sign a new authorization for it.',
  },
  payment_identifier_conflict: {
    ...DECLINED,
    x402: 'DUPLICATE_NONCE',
    promise: 'never',
    fault: 'client',
    status: 409,
    charged: false,
    retry: 'new_payment',
    title: 'Payment identifier already used',
    detail:
      'This payment identifier was already used for another call. This call was not charged; choose a new identifier.',
  },
  replay_window_over: {
    ...DECLINED,
    x402: 'DUPLICATE_NONCE',
    promise: 'charged',
    fault: 'client',
    status: 409,
    charged: true,
    retry: 'new_payment',
    title: 'Replay window over',
    detail:
      'This payment was settled and answered; its answer can no longer be repeated. Sign a new authorization for a new check.',
  },
  body_too_large: {
    fault: 'client',
    status: 413,
    charged: false,
    retry: 'fix',
    title: 'Body too large',
    detail: 'The request body is larger than this endpoint reads.',
  },
  unsupported_media_type: {
    fault: 'client',
    status: 415,
    charged: false,
    retry: 'fix',
    title: 'Unsupported media type',
    detail: 'Send the body as Content-Type: application/json in UTF-8.',
  },
  unsupported_content_encoding: {
    fault: 'client',
    status: 415,
    charged: false,
    retry: 'fix',
    title: 'Unsupported content encoding',
    detail: 'Send the body without a content encoding.',
  },
  task_not_found: {
    ...DECLINED,
    fault: 'client',
    status: 404,
    rest: false,
    charged: false,
    retry: 'fix',
    title: 'Task not found',
    detail:
      'Unknown or expired task. Nothing was charged by this request; send the value again without a task id. If you have signed a payment for the task, send it with that payment.',
  },
  payment_not_found: {
    fault: 'client',
    status: 404,
    rest: false,
    charged: false,
    retry: 'never',
    title: 'Payment not found',
    detail: 'No call with this authorization is on record. If you sent one, repeat it before you sign again.',
  },
  unknown_type: {
    fault: 'client',
    status: 404,
    charged: false,
    retry: 'fix',
    title: 'Unknown check type',
    detail: 'This check type does not exist. GET /api/types lists those that do.',
  },
  not_found: {
    fault: 'client',
    status: 404,
    rest: false,
    charged: false,
    retry: 'never',
    title: 'Not found',
    detail: 'This path does not exist.',
  },
  method_not_allowed: {
    fault: 'client',
    status: 405,
    charged: false,
    retry: 'fix',
    title: 'Method not allowed',
    detail: 'This path does not support that method; the Allow header lists those it does.',
  },
  host_not_allowed: {
    fault: 'client',
    status: 403,
    rest: false,
    charged: false,
    retry: 'never',
    title: 'Host not allowed',
    detail: 'The Host header names a host this service does not answer for.',
  },
  request_malformed: {
    ...BAD_REQUEST,
    title: 'Request malformed',
    detail: 'The request is not HTTP that every party reads the same. The connection is closed.',
  },
  request_timeout: {
    fault: 'client',
    status: 408,
    rest: false,
    charged: false,
    retry: 'unchanged',
    title: 'Request timeout',
    detail:
      'The request did not arrive in time. Nothing was charged; repeat it unchanged on a new connection.',
  },
  headers_too_large: {
    fault: 'client',
    status: 431,
    charged: false,
    retry: 'fix',
    title: 'Headers too large',
    detail: 'The request headers are larger than 32 kB. The connection is closed.',
  },
  too_many_connections: {
    ...NOT_NOW,
    title: 'Too many connections',
    detail:
      'Too many connections are open. Nothing was charged; repeat the request unchanged after Retry-After.',
  },
  too_many_requests: {
    // Also answered for an authorization that is known.
    ...DECLINED,
    fault: 'client',
    status: 429,
    charged: false,
    retry: 'unchanged',
    title: 'Too many requests',
    detail:
      'Too many unpaid or refused requests. This request was not charged; repeat it unchanged after Retry-After.',
  },
  payment_in_doubt: {
    ...DECLINED,
    fault: 'service',
    status: 503,
    charged: 'unknown',
    retry: 'unchanged',
    title: 'Payment in doubt',
    detail:
      'It is not yet known whether the payment was settled. Do not sign a new payment; repeat this request unchanged after Retry-After.',
    on: {
      mcp: 'It is not yet known whether the payment was settled. Do not sign a new payment; repeat this call unchanged, with the same payment in _meta["x402/payment"].',
    },
  },
  facilitator_unavailable: {
    ...NOT_SETTLED,
    title: 'Payment facilitator unavailable',
    detail: 'The payment could not be submitted. Nothing was charged; repeat this request unchanged later.',
  },
  chain_unavailable: {
    ...NOT_SETTLED,
    title: 'Blockchain unavailable',
    detail:
      'The service cannot read the blockchain at the moment, so no payment is submitted. Nothing was charged; repeat this request unchanged later.',
  },
  clock_wrong: {
    ...NOT_SETTLED,
    title: 'Clock of the service wrong',
    detail:
      'The clock of the service differs from that of the chain, so it cannot tell whether a payment is in time. Nothing was charged; repeat this request unchanged after Retry-After.',
  },
  sales_paused: {
    ...NOT_SETTLED,
    title: 'Sales paused',
    detail:
      'The service cannot settle at the moment, or may spend no more on it today. Nothing was charged; repeat this request unchanged after Retry-After. Calls over an open channel may go on.',
  },
  payment_state_unknown: {
    fault: 'service',
    status: 503,
    rest: false,
    charged: 'unknown',
    retry: 'unchanged',
    title: 'Payment state not known',
    detail:
      'The payment store does not answer, so the state of this payment is unknown. Do not sign a new one; ask again after Retry-After.',
  },
  store_unavailable: {
    // The state of the payment is unknown.
    ...NOT_NOW,
    ...DECLINED,
    title: 'Store unavailable',
    detail:
      'The payment store does not answer. Nothing was charged by this request; repeat it unchanged later.',
  },
  shutting_down: {
    ...NOT_NOW,
    ...DECLINED,
    title: 'Shutting down',
    detail: 'This process is shutting down. Nothing was charged; repeat this request unchanged.',
  },
  internal_error: {
    fault: 'service',
    status: 500,
    charged: 'unknown',
    retry: 'unchanged',
    title: 'Internal error',
    detail: 'The service failed. Nothing was recorded as charged; repeat this request unchanged.',
  },
} as const satisfies Record<string, ErrorEntry>

/** A stable, machine-readable error code; its meaning never changes. */
export type ErrorCode = keyof typeof ERRORS

type EndingWith<End extends SaleEnd> = {
  [Code in ErrorCode]: (typeof ERRORS)[Code] extends { readonly end: End } ? Code : never
}[ErrorCode]
export type UnpaidCode = EndingWith<'unpaid'>
export type DeclinedCode = EndingWith<'declined'>

/** Replaces the detail if one item of a list is at fault; the same on every transport. */
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

export const codesEnding = (end: SaleEnd): readonly string[] =>
  Object.entries(ERRORS).flatMap(([code, entry]: [string, ErrorEntry]) => (entry.end === end ? [code] : []))

export function isNotNow(code: ErrorCode): boolean {
  const { status, charged }: ErrorEntry = ERRORS[code]
  return status === NOT_NOW.status && charged === NOT_NOW.charged
}

export const hasTime = (code: ErrorCode): boolean => (ERRORS[code] as ErrorEntry).time === true

export const x402ErrorCode = (code: ErrorCode): X402ErrorCode =>
  (ERRORS[code] as ErrorEntry).x402 ?? 'SETTLEMENT_FAILED'

export function detailOn(code: ErrorCode, transport: Transport): string {
  const { detail, on }: ErrorEntry = ERRORS[code]
  return on?.[transport] ?? detail
}

export function itemDetailOn(code: ErrorCode, transport: Transport): string {
  return ITEM_DETAILS[code] ?? detailOn(code, transport)
}

export function consequencesOf(code: ErrorCode): { readonly charged: Charged; readonly retry: Retry } {
  const { charged, retry } = ERRORS[code]
  return { charged, retry }
}
