import { setTimeout as sleep } from 'node:timers/promises'
import type { x402ResourceServer } from '@x402/core/server'
import type { SkillRegistry } from '../../../catalog/skill.ts'
import type { UnpaidCode } from '../../../errors.ts'
import type { Ledger } from '../../../ledger/ledger.ts'
import { LEASE_MS, type PaymentKey, type PaymentRow } from '../../../ledger/payments/payment-row.ts'
import type { Payment } from '../../authorization/decode-payment.ts'
import type { SignatureJudge } from '../../authorization/signature.ts'
import type { ChainReader } from '../../chain/chain-reader.ts'
import type { Symptom } from '../../facilitators/facilitator-fault.ts'
import type { PauseCode, Quote, Sale } from '../../ports/sale.ts'
import type { Bindings } from '../../secrets/bindings.ts'
import type { Keyring } from '../../secrets/keyring.ts'
import type { QuoteBook } from '../../terms/quotes.ts'
import type { Terms } from '../../terms/terms.ts'
import type { AccountShares } from '../limits/account-shares.ts'
import type { MismatchLimiter } from '../limits/mismatch-limiter.ts'
import type { NewPayers } from '../limits/new-payers.ts'
import type { RefusalLimiter } from '../limits/refusal-limiter.ts'
import type { PaymentIdentifier } from '../purchase/payment-identifier.ts'
import type { PurchasedCall } from '../purchase/purchased-call.ts'
import type { ReceiptOf } from '../purchase/receipt.ts'
import type { SaleEvent } from './sale-table.ts'

/** What a sale reports to the operator; never anything of the call itself. */
export type SaleReport =
  /** A settlement was sent and its outcome is not recorded; the chain will tell. */
  | { readonly event: 'settlement_not_recorded'; readonly error?: unknown }
  /** A repeat of a payment that may have been charged failed; the buyer may repeat it again. */
  | { readonly event: 'repeat_failed'; readonly error: unknown }
  | ({ readonly event: 'settlement_doubtful' } & Symptom)
  /** A facilitator says that it did nothing with a settlement. */
  | ({ readonly event: 'settlement_unconfirmed' } & Symptom)
  | ({ readonly event: 'facilitator_unavailable' } & Symptom)
  | ({ readonly event: 'chain_unavailable' } & Symptom)

export interface SaleTiming {
  readonly waitMs: number
  readonly lookMs: number
  readonly proofWaitMs: number
  readonly proofLookMs: number
  readonly recordPausesMs: readonly number[]
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>
  readonly monotonicMs: () => number
}

export const SALE_TIMING: SaleTiming = {
  waitMs: 25_000,
  lookMs: 250,
  proofWaitMs: 20_000,
  proofLookMs: 500,
  recordPausesMs: [50, 200, 500, 1_000],
  sleep: (ms, signal) => sleep(ms, undefined, signal === undefined ? {} : { signal, ref: false }),
  monotonicMs: () => performance.now(),
}

export interface NetworkContext {
  readonly server: x402ResourceServer
  readonly terms: Terms
  readonly chain: ChainReader
  readonly judgeSignature: SignatureJudge
  /** UTC milliseconds by the clock of the chain; null until a block is known. */
  readonly chainTime: () => number | null
  readonly headNumber: () => bigint | null
  /** What pauses sales, or null: nothing new is settled, known payments are still answered. */
  readonly pausedBy: () => PauseCode | null
  readonly losses: Losses
}

/**
 * Who pays for a settlement that fails. Once our losses of the UTC day have reached their limit, payers without a settled sale
 * wait for the next day.
 */
export type Losses =
  | { readonly paidBy: 'facilitator' }
  | { readonly paidBy: 'us'; readonly isLimitReached: () => boolean }

export const isLossLimitReached = (losses: Losses): boolean =>
  losses.paidBy === 'us' && losses.isLimitReached()

/** The network of one sale, and what all networks share. */
export interface SaleContext extends NetworkContext {
  readonly networks: ReadonlyMap<string, NetworkContext>
  readonly quotes: QuoteBook
  readonly receiptOf: ReceiptOf
  readonly registry: SkillRegistry
  readonly ledger: Ledger
  readonly keys: Keyring
  readonly bindings: Bindings
  readonly refusals: RefusalLimiter
  readonly mismatches: MismatchLimiter
  readonly newPayers: NewPayers
  readonly shares: AccountShares
  /** UTC milliseconds by the clock of the ledger. */
  readonly now: () => number
  readonly owner: string
  /** `SETTLEMENT_PROOF=chain`. */
  readonly proofOnChain: boolean
  readonly timing: SaleTiming
  readonly report: (report: SaleReport) => void
}

/** Null if nothing is sold on that network. */
export function contextOn(context: SaleContext, id: string): SaleContext | null {
  const other = context.networks.get(id)
  if (id === context.terms.network.id) return context
  return other === undefined ? null : { ...context, ...other }
}

export interface Attempt {
  readonly call: PurchasedCall
  readonly payment: Payment
  readonly key: PaymentKey
  readonly quote: Quote
  /** As the request has it. */
  readonly identifier: PaymentIdentifier
  /** False if another key than the payer's signed: the payer may be a contract wallet. */
  readonly recovered: boolean
}

/**
 * What a request has done that a step which throws must not lose: noted before the call that may charge or that tells of a
 * charge.
 */
export interface Charge {
  /** True once something that charges the buyer may have left for this request. */
  sent: boolean
  /** True once this request saw a payment that may have been charged: no answer may deny it. */
  mayBeCharged: boolean
}

/** What a request knows while it is being served, whatever its scheme. Only `charge` and `share` change in place. */
export interface Run {
  readonly context: Pick<SaleContext, 'timing'>
  readonly charge: Charge
  /** The part of the payer's balance that the request holds until it ends. */
  readonly share: { release: (() => void) | null }
}

export const newRun = () => ({
  charge: { sent: false, mayBeCharged: false },
  share: { release: null },
})

/** What a single payment's request learns on its way. A step gives new facts with its event and changes none. */
export interface SaleFacts {
  /** True while the row may be claimed before the ledger was read. */
  readonly mayClaimUnread: boolean
  /** That of the row once the purchase is known. */
  readonly identifier: PaymentIdentifier
  readonly isNewPayer: boolean
  /** True if the row records that a facilitator accepted this signature. */
  readonly signatureAccepted: boolean
  readonly transaction?: string
  readonly refusal?: UnpaidCode
  /** What the facilitator gave in place of an answer. */
  readonly symptom?: Symptom
  /** True if the facilitator says that a transaction is under way, which may itself have emptied the account. */
  readonly pending: boolean
  /** True if nothing was sent, by this process's knowledge or by the facilitator's word. */
  readonly denied: boolean
}

export interface SaleRun extends Run, SaleFacts {
  readonly context: SaleContext
  readonly attempt: Attempt
  /** UTC milliseconds. */
  readonly arrivedAt: number
}

export type Next<Row = PaymentRow | null, Event = SaleEvent, Facts = SaleFacts> =
  | { readonly kind: 'answer'; readonly sale: Sale }
  /** Another process works on the row or has moved it. */
  | { readonly kind: 'read_again'; readonly facts?: Partial<Facts> }
  | { readonly kind: 'event'; readonly event: Event; readonly row: Row; readonly facts?: Partial<Facts> }

export const READ_AGAIN = { kind: 'read_again' } as const satisfies Next
export const answer = (sale: Sale) => ({ kind: 'answer', sale }) as const satisfies Next
export const event = <Event extends string, Row>(name: Event, row: Row) =>
  ({ kind: 'event', event: name, row }) as const
/** An event with what the request has learned. */
export const learned = (name: SaleEvent, row: PaymentRow | null, facts: Partial<SaleFacts>): Next => ({
  ...event(name, row),
  facts,
})

/** The longest that a settlement takes; when it is sent, the row's lease must last that long. */
export const SETTLEMENT_MS = LEASE_MS - 10_000
