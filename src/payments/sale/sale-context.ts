import { setTimeout as sleep } from 'node:timers/promises'
import type { x402ResourceServer } from '@x402/core/server'
import type { Ledger, PaymentKey } from '../../ledger/ledger.ts'
import type { SkillRegistry } from '../../skills/skill.ts'
import type { Payment } from '../authorization/decode-payment.ts'
import type { SignatureVerdict } from '../authorization/signature.ts'
import type { ChainReader } from '../chain/chain-reader.ts'
import type { Quote } from '../sale.ts'
import type { Keyring } from '../secrets/keyring.ts'
import type { QuoteBook } from '../terms/quotes.ts'
import type { Terms } from '../terms/terms.ts'
import type { PurchasedCall } from './purchased-call.ts'
import type { ReceiptOf } from './receipt.ts'
import type { RefusalLimiter } from './refusal-limiter.ts'

/** Notable things a sale tells the operator; never anything of the call itself. */
export type SaleEvent =
  /** The store did not take the record of a settlement; the chain will tell later. */
  | { readonly event: 'settlement_not_recorded' }
  | { readonly event: 'settlement_doubtful' }
  | { readonly event: 'facilitator_unavailable' }
  | { readonly event: 'chain_unavailable' }

/** How long a sale waits for what it does not do itself, in milliseconds, and by which timers. */
export interface SaleTiming {
  /** How long a copy of a request waits for the one that does the work. */
  readonly waitMs: number
  /** How often a row another process works on is looked at. */
  readonly lookMs: number
  /** How long a verdict waits for its transfer to be seen on the chain, and how often it looks. */
  readonly proofWaitMs: number
  readonly proofLookMs: number
  /** Pauses between tries to write a settlement down. */
  readonly recordPausesMs: readonly number[]
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>
  /** Milliseconds on a clock that never goes back. */
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

/** Everything a sale is made with; built once at boot. */
export interface SaleContext {
  readonly server: x402ResourceServer
  readonly terms: Terms
  readonly quotes: QuoteBook
  readonly receiptOf: ReceiptOf
  readonly registry: SkillRegistry
  readonly ledger: Ledger
  readonly chain: ChainReader
  readonly keys: Keyring
  readonly judgeSignature: (payment: Payment) => Promise<SignatureVerdict>
  readonly refusals: RefusalLimiter
  /** UTC milliseconds. */
  readonly now: () => number
  /** The same by the clock of the chain, as far as it is known. */
  readonly chainTime: () => number
  /** Boot id of this process, the owner of the rows it works on. */
  readonly owner: string
  /** Blocks under the head at which a state counts as final. */
  readonly finalityDepth: bigint
  /** Asks the facilitator's verify before every settlement (`FACILITATOR_VERIFY=always`). */
  readonly verifyAlways: boolean
  /** Holds the verdict back until the transfer is seen on the chain (`SETTLEMENT_PROOF=chain`). */
  readonly proofOnChain: boolean
  /** False while money is paused: known rows are still answered, nothing new is settled. */
  readonly maySettle: () => boolean
  readonly timing: SaleTiming
  readonly report: (event: SaleEvent) => void
}

/** One request that wants to buy: what, with which authorization, and on which terms. */
export interface Attempt {
  readonly subject: PurchasedCall
  readonly payment: Payment
  readonly key: PaymentKey
  readonly quote: Quote
  /** The payment identifier's MACs, the one under the present key first; none where the buyer sent no identifier. */
  readonly identifiers: readonly Buffer[]
  /** True when only a facilitator can say whether the signature is good: the payer may be a contract wallet. */
  readonly needsVerify: boolean
}

/** How long a row belongs to the process that settles it: the settle deadline and ten seconds more. */
export const LEASE_MS = 30_000
/** How long the answer of a settled sale is repeated to who paid for it. */
export const REPLAY_WINDOW_MS = 3_600_000
/** What a buyer is told to wait while only the chain can tell. */
export const IN_DOUBT_RETRY_SECONDS = 10
/** What a buyer is told to wait while a part of the service does not answer. */
export const UNAVAILABLE_RETRY_SECONDS = 5

/** When the task of a claimed authorization has had its time: with the replay window, at the latest. */
export const claimedTaskExpiry = (row: {
  readonly validBefore: number
  readonly settledAt?: number | null
}): number => Math.max(row.validBefore * 1000, row.settledAt ?? 0) + REPLAY_WINDOW_MS + 60_000
