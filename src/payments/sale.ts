import type { PaymentRequired, SettleResponse } from '@x402/core/types'
import type { Verdict } from '../checks/verdict.ts'
import type { ErrorCode } from '../errors.ts'
import type { Skill } from '../skills/skill.ts'

/** The protocol a call came in by; part of every payment row and count. */
export type SurfaceName = 'rest' | 'a2a' | 'mcp'

/** A skill call whose input has already been validated; the value lives only in this object. */
export interface ValueCall {
  readonly kind: 'value'
  readonly skill: Skill
  readonly surface: SurfaceName
  readonly value: string
  /** Present when the protocol keeps the call as a task: what the surface needs to show it again, at most 512 bytes. */
  readonly task?: { readonly memo: string }
}

/** A skill call whose verdict was computed by an earlier message and lies sealed in the store. */
export interface SealedCall {
  readonly kind: 'sealed'
  readonly surface: SurfaceName
  /** The unguessable task id under which `holdVerdict` sealed the verdict. */
  readonly taskId: string
}

export type Call = ValueCall | SealedCall

/** What a caller sent as payment, before anything of it is believed. */
export type Proof =
  | { readonly kind: 'none' }
  /** A base64 text: the PAYMENT-SIGNATURE header, or a protocol's string form of it. */
  | { readonly kind: 'text'; readonly text: string }
  /** A payload that came as JSON inside the protocol's own message. */
  | { readonly kind: 'object'; readonly payload: unknown }
  /** An x402 version 1 header (X-PAYMENT). */
  | { readonly kind: 'version-1' }

/** Outcomes that come with terms: nothing was charged, and a new or better payment is welcome. */
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
  | 'store_unavailable'
  | 'shutting_down'
  /** Only for a sealed call: its task is unknown, ended or past its life; nothing was claimed. */
  | 'task_not_found'
>

/** The terms of one skill on one surface, computed at boot for every outcome that carries them. */
export interface Quote {
  /** The x402 object for an outcome; `error` holds "<code>: <detail>" (for `payment_required` its title). */
  required(code: UnpaidCode): PaymentRequired
  /** The same, base64-encoded for the PAYMENT-REQUIRED header. */
  header(code: UnpaidCode): string
}

export interface Unpaid {
  readonly kind: 'unpaid'
  readonly code: UnpaidCode
  readonly quote: Quote
  /** The refused settlement, where one was tried; goes into PAYMENT-RESPONSE. */
  readonly settlement?: SettleResponse
  /** UTC seconds; present where the refusal was for time. */
  readonly serverTime?: number
}

export interface Declined {
  readonly kind: 'declined'
  readonly code: DeclinedCode
  readonly retryAfterSeconds?: number
  /** The id of the task the payment was claimed for, when the call is kept as one. */
  readonly taskId?: string
}

export interface Sold {
  readonly kind: 'sold'
  readonly verdict: Verdict
  /** The receipt: the settlement rebuilt from the ledger row, equal on every repetition. */
  readonly settlement: SettleResponse
  /** True when this answer repeats an earlier sale and nothing was settled for it. */
  readonly replayed: boolean
  /** True when the verdict was recomputed under a newer ruleset than the one it was sold under. */
  readonly rulesetChanged: boolean
  /** To be called once the reply has left in full; until then a buyer who signs anew is answered from this sale. */
  readonly delivered: () => void
  /** The id of the task, when the call is kept as one; the same on every repetition of the paying message. */
  readonly taskId?: string
}

/** What came of one call: the only values a surface has to translate. */
export type Sale = Unpaid | Declined | Sold

/** What the second door gives out: a task id and the price, nothing of the verdict. */
export type Withheld =
  | {
      readonly kind: 'withheld'
      readonly taskId: string
      readonly quote: Quote /** UTC milliseconds. */
      readonly expiresAt: number
    }
  | {
      readonly kind: 'declined'
      readonly code: 'too_many_requests' | 'store_unavailable' | 'shutting_down'
      readonly retryAfterSeconds: number
    }

/** Runs the check and keeps the verdict sealed under a new task id until it is paid for or its life is over. */
export type HoldVerdict = (
  call: ValueCall & { readonly task: { readonly memo: string } },
) => Promise<Withheld>

/** Where a kept task stands; what a surface shows of it. */
export type TaskView = { readonly memo: string; readonly skill: Skill; readonly quote: Quote } & (
  | { readonly state: 'unpaid' }
  /** Claimed, settling or in doubt: resolves by itself. */
  | { readonly state: 'working' }
  | { readonly state: 'sold'; readonly verdict: Verdict; readonly settlement: SettleResponse }
  | { readonly state: 'failed'; readonly code: ErrorCode; readonly settlement?: SettleResponse }
  | { readonly state: 'canceled' }
)

/** The tasks of protocols in which payment comes in a later message. Each may reject with StoreUnavailable. */
export interface Tasks {
  /** Null when there is no such task, or its life is over. */
  read(taskId: string): Promise<TaskView | null>
  /** Ends an unpaid task; false when it is paid, ended or gone. */
  cancel(taskId: string): Promise<boolean>
  /** Ends an unpaid task as failed; false when it is paid, ended or gone. */
  fail(taskId: string, code: ErrorCode): Promise<boolean>
}

/** The door to money. Never throws for anything a caller can send; throws only on defects. */
export type Sell = (call: Call, proof: Proof) => Promise<Sale>
