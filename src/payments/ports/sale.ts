import type { PaymentRequired, SettleResponse } from '@x402/core/types'
import type { Verdict } from '../../checks/verdict.ts'
import type { ErrorCode } from '../../errors.ts'
import type { PaymentRow, PurchaseType } from '../../ledger/payment-row.ts'
import type { Skill } from '../../skills/skill.ts'

export const SURFACE_NAMES = ['rest', 'a2a', 'mcp'] as const

export type SurfaceName = (typeof SURFACE_NAMES)[number]

export interface Item {
  readonly skill: Skill
  readonly value: string
}

export type Items = readonly [Item, ...Item[]]

/** What kind of call was bought: stored with payments and tasks; price and address are computed from it. */
export interface Purchase {
  /** A list of one value and a single value are different calls. */
  readonly shape: PaymentRow['shape']
  /** The check that is sold; `mixed` for a list of several types. */
  readonly type: PurchaseType
  readonly items: number
}

/**
 * One call: a single value, or a list of values under one payment. Its input is validated. No other object holds the
 * values.
 */
export interface ValueCall {
  readonly kind: 'value'
  readonly shape: Purchase['shape']
  /** The check that is sold; `mixed` at an address that takes several types. */
  readonly type: PurchaseType
  readonly items: Items
  readonly surface: SurfaceName
  /** The client's address as the limiter knows it: differing calls under one payment are counted by it. */
  readonly client?: string
  /** Present when the protocol keeps the call as a task: what the surface needs to show it again, at most 512 bytes as JSON. */
  readonly task?: { readonly memo: string }
}

/** A call whose verdict was computed for an earlier message and is sealed in the store. */
export interface SealedCall {
  readonly kind: 'sealed'
  readonly surface: SurfaceName
  /** As in a {@link ValueCall}. */
  readonly client: string
  /** The unguessable task id under which `holdVerdict` sealed the verdict. */
  readonly taskId: string
}

export type Call = ValueCall | SealedCall

/** What a caller sent as payment, unverified. */
export type RawPayment =
  | { readonly kind: 'none' }
  /** A base64 text of either x402 version: a payment header, or a protocol's string form of it. */
  | { readonly kind: 'text'; readonly text: string }
  /** A payload as JSON inside the protocol's own message. */
  | { readonly kind: 'object'; readonly payload: unknown }

/** Outcomes that come with terms: a new or better payment is welcome. */
export type UnpaidCode = Extract<
  ErrorCode,
  | 'payment_required'
  | 'payment_malformed'
  | 'payment_version_unsupported'
  | 'payment_terms_mismatch'
  | 'payment_expired'
  | 'payment_not_yet_valid'
  | 'payment_valid_too_long'
  | 'payment_invalid_signature'
  | 'payment_insufficient_funds'
  | 'payment_refused'
  /** Too many differing calls under one payment; a new one is answered from it and not charged. */
  | 'payment_locked'
  /** The voucher is not the next one of its channel; the quote carries the channel's state. */
  | 'channel_out_of_step'
  | 'channel_closing'
>

/** Outcomes without terms: paying again is not the answer. */
export type DeclinedCode = Extract<
  ErrorCode,
  | 'payment_already_used'
  | 'payment_identifier_conflict'
  | 'replay_window_over'
  | 'too_many_requests'
  | 'payment_in_doubt'
  | 'facilitator_unavailable'
  | 'chain_unavailable'
  | 'sales_paused'
  | 'store_unavailable'
  | 'shutting_down'
  /** Only for a sealed call: its task is unknown, ended or expired; nothing was claimed. */
  | 'task_not_found'
>

/** What pauses new sales: the node of the chain, another party's facilitator, or this service's own means. */
export type PauseCode = 'chain_unavailable' | 'facilitator_unavailable' | 'sales_paused'

/** The terms of one call on one surface, prepared for every outcome that carries them. */
export interface Quote {
  /** The x402 object for an outcome; `error` holds "<code>: <detail>" (for `payment_required` its title). */
  required(code: UnpaidCode): PaymentRequired
  /** The same, base64-encoded for the PAYMENT-REQUIRED header. */
  header(code: UnpaidCode): string
  /** The same with the offer of payment channels as a second one; absent if channels are off. */
  readonly withChannels?: Quote
}

export interface Unpaid {
  readonly kind: 'unpaid'
  readonly code: UnpaidCode
  readonly quote: Quote
  /** The refused settlement, if one was tried; goes into PAYMENT-RESPONSE. */
  readonly settlement?: SettleResponse
  /** UTC seconds; present when the payment was refused for its time. */
  readonly serverTime?: number
  /** True if the quote is the state of a payment channel, from which its client goes on with the next voucher. */
  readonly isCorrection?: true
}

export interface Declined {
  readonly kind: 'declined'
  readonly code: DeclinedCode
  readonly retryAfterSeconds?: number
  /** True if the record of the payment is final, so that a new payment for this call cannot be lost. */
  readonly final?: boolean
  /** The id of a stored task that will show how the payment ended; absent when no task was stored. */
  readonly taskId?: string
  /** What the payment was charged for before; goes into PAYMENT-RESPONSE. */
  readonly settlement?: SettleResponse
  /** True if nothing happens until the same request comes again: a deposit or a charge over a channel may be in. */
  readonly awaitsRepeat?: boolean
}

/** What a call is answered; bytes are UTF-8. */
export interface ResultJson {
  /** The whole answer: the verdict, or a `ListResult`. */
  readonly answer: string | Buffer
  /** The part of it that a receipt's `resultHash` is over: the verdict, or the array of a list's. */
  readonly result: string | Buffer
}

export interface Sold {
  readonly kind: 'sold'
  /** One per item of the call, in its order. */
  readonly verdicts: Verdicts
  readonly json: () => ResultJson
  /** The settlement with its signed receipt (sale/receipt.ts), equal on every repetition. */
  readonly settlement: SettleResponse
  /** True when this answer repeats an earlier sale and nothing was settled for it. */
  readonly replayed: boolean
  /** True when the verdict was recomputed under a newer ruleset than the one it was sold under. */
  readonly rulesetChanged: boolean
  /** Must be called once the reply has left in full; until then a new authorization for the same call is answered from this sale. */
  readonly delivered: () => void
  /** The id of the task, when the call is kept as one; the same on every repetition of the paying message. */
  readonly taskId?: string
}

/** What a payment buys: one verdict per item of the call. */
export type Verdicts = readonly [Verdict, ...Verdict[]]

export type Sale = Unpaid | Declined | Sold

/** Takes a payment for a call; nothing else does. Never throws for anything a caller can send; throws only on defects. */
export type Sell = (call: Call, rawPayment: RawPayment) => Promise<Sale>
