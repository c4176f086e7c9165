import type { PaymentRequired, SettleResponse } from '@x402/core/types'
import type { Verdict } from 'format-checker-checks/verdict'
import type { Skill } from '../../catalog/skill.ts'
import type { DeclinedCode, UnpaidCode } from '../../errors.ts'
import type { PaymentRow, PurchaseType } from '../../ledger/payments/payment-row.ts'
import type { NonEmpty } from '../../values/non-empty.ts'

/** `channel`: REST at the address of payment channels. */
export const SURFACE_NAMES = ['rest', 'a2a', 'mcp', 'channel'] as const

export type SurfaceName = (typeof SURFACE_NAMES)[number]

/** The surfaces in catalogues, which take single payments. */
export type ListedSurface = Exclude<SurfaceName, 'channel'>

export interface Item {
  readonly skill: Skill
  readonly value: string
}

export type Items = NonEmpty<Item>

export interface Purchase {
  /** A list of one value is another call than a single value. */
  readonly shape: PaymentRow['shape']
  /** `mixed` for a list of several types. */
  readonly type: PurchaseType
  readonly items: number
}

/** Validated. No other object holds the values. */
export interface ValueCall {
  readonly kind: 'value'
  readonly shape: Purchase['shape']
  readonly type: PurchaseType
  readonly items: Items
  readonly surface: SurfaceName
  /** The client's address as the limiter knows it. */
  readonly client?: string
  /**
   * Present if the protocol keeps the call as a task; the pending order is what the surface needs to show it again, at
   * most 1,280 bytes as JSON.
   */
  readonly task?: { readonly pendingOrder: string }
}

/** A call whose verdict an earlier message sealed in the store. */
export interface SealedCall {
  readonly kind: 'sealed'
  readonly surface: SurfaceName
  readonly client: string
  readonly taskId: string
}

export type Call = ValueCall | SealedCall

export type RawPayment =
  | { readonly kind: 'none' }
  /** Base64, of either x402 version: a payment header, or a protocol's string form of it. */
  | { readonly kind: 'text'; readonly text: string }
  /** JSON inside the protocol's own message. */
  | { readonly kind: 'object'; readonly payload: unknown }

/** What pauses new sales: the node, another party's facilitator, or this service's own clock or means. */
export type PauseCode = 'chain_unavailable' | 'facilitator_unavailable' | 'clock_wrong' | 'sales_paused'

export interface Quote {
  /** `error` holds "<code>: <detail>", except for `payment_required`. */
  required(code: UnpaidCode): PaymentRequired
  /** As the PAYMENT-REQUIRED header: base64. */
  header(code: UnpaidCode): string
  /**
   * Terms of all schemes: with payment channels as a further offer. Absent if channels are off, and over REST, which has an
   * address for them.
   */
  readonly ofAllSchemes?: Quote
}

export interface Unpaid {
  readonly kind: 'unpaid'
  readonly code: UnpaidCode
  readonly quote: Quote
  /** Which part of the payment was refused, or what was expected of it; the quote says it, too. */
  readonly why?: string
  /** Present if one was tried. */
  readonly settlement?: SettleResponse
  /** UTC seconds. */
  readonly serverTime?: number
  /** True if the quote is the state of a channel, from which the client makes its next voucher. */
  readonly isCorrection?: true
}

export interface Declined {
  readonly kind: 'declined'
  readonly code: DeclinedCode
  readonly retryAfterSeconds?: number
  /** True if the record of the payment cannot change any more, so that the client may pay for this call again. */
  readonly final?: boolean
  /** A stored task that will show how the payment ended. */
  readonly taskId?: string
  readonly settlement?: SettleResponse
  /** True if only a repeat of the request can resolve it: a deposit or a charge over a channel may be in. */
  readonly awaitsRepeat?: boolean
}

/** Bytes are UTF-8. */
export interface ResultJson {
  readonly answer: string | Buffer
  /** The part that a receipt's `resultHash` is over: the verdict, or the array of results. */
  readonly result: string | Buffer
}

export interface Sold {
  readonly kind: 'sold'
  readonly verdicts: Verdicts
  readonly json: () => ResultJson
  /** With its signed receipt; equal on every repetition. */
  readonly settlement: SettleResponse
  /** Names the authorization that came with the request, which need not be the one that was charged; set by `sell`. */
  readonly authorization?: string
  /** Nothing was settled for it. */
  readonly replayed: boolean
  /** The verdict was computed under a newer ruleset than the one that was sold. */
  readonly rulesetChanged: boolean
  /**
   * Must be called once the reply has left in full; until then a new authorization for the same call is answered from
   * this sale.
   */
  readonly delivered: () => void
  /** The same on every repetition of the paying message; absent if the call is not kept as a task. */
  readonly taskId?: string
}

export type Verdicts = NonEmpty<Verdict>

export type Sale = Unpaid | Declined | Sold

/** The only way to charge for a call. Throws on defects only, never for what a caller can send. */
export type Sell = (call: Call, rawPayment: RawPayment) => Promise<Sale>
