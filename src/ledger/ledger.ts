import type { CheckType } from '../checks/verdict.ts'
import type { ChannelStore } from './channel-store.ts'

/**
 * The port to everything that must survive a crash or be seen by another replica.
 *
 * Two adapters implement it: an embedded SQLite file for one process, PostgreSQL for several. Both pass the same
 * contract tests. Every method rejects with {@link StoreUnavailable} when the store cannot answer, and with
 * nothing else that a caller could cause. All times are UTC milliseconds unless a name says otherwise.
 */

/** Why a store does not answer, as far as it says so itself: no room, no write access, or anything else. */
export type StoreFault = 'full' | 'read_only' | 'no_answer'

/** Thrown by every adapter when the store does not answer; the write may or may not have been made. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'
  readonly fault: StoreFault

  constructor(message: string, options: ErrorOptions & { readonly fault?: StoreFault } = {}) {
    super(message, options)
    this.fault = options.fault ?? 'no_answer'
  }
}

/** Identifies one EIP-3009 authorization; all members lower-case. */
export interface PaymentKey {
  /** CAIP-2, e.g. "eip155:8453". */
  readonly network: string
  readonly asset: string
  readonly payer: string
  /** 32 bytes, 0x-prefixed hex. */
  readonly nonce: string
}

/** Every state of a row; what each one means is in `payments/sale/sale-table.ts`. */
export const PAYMENT_STATES = [
  'claimed',
  'settling',
  'settled',
  'refused',
  'unconfirmed',
  'in_doubt',
  'void',
] as const
export type PaymentState = (typeof PAYMENT_STATES)[number]

/** The check a row was sold for; `mixed` for a list of several types. */
export type PurchaseType = CheckType | 'mixed'

/** One authorization and what became of it. */
export interface PaymentRow extends PaymentKey {
  /** Atomic units of the asset. */
  readonly amount: bigint
  readonly payTo: string
  /** UTC seconds, as signed. */
  readonly validBefore: number
  readonly state: PaymentState
  /** Id of the process that works on the row; null when no process does. */
  readonly owner: string | null
  readonly leaseUntil: number
  /** How often a settlement of this authorization was tried. */
  readonly attempts: number
  /** Our code of the last refusal. */
  readonly refusal: string | null
  readonly transaction: string | null
  readonly logIndex: number | null
  /** Whether the audit found the transfer of a settled row on the chain; null before the audit. */
  readonly audit: 'found' | 'missing' | null
  readonly surface: string
  readonly checkType: PurchaseType
  readonly ruleset: string
  /** A single call, or a list; a list of one value is not the same call as a single one. */
  readonly shape: 'single' | 'list'
  /** How many values the payment buys. */
  readonly items: number
  /** Salt and MAC over types and values; null once the replay window is over. */
  readonly salt: Buffer | null
  readonly binding: Buffer | null
  /** Name of the hourly key the binding was made with; null once the replay window is over. */
  readonly bindingKey: string | null
  /** MAC of a signature that only a facilitator could judge; null when the signer was recovered locally. */
  readonly signatureMac: Buffer | null
  /** MAC of payer and payment identifier; null without an identifier, or once the replay window is over. */
  readonly identifier: Buffer | null
  /** Hash of the id of the task that this row pays for; null when it pays for no task. */
  readonly taskKey: string | null
  /** How many requests came with this authorization and another type or value. */
  readonly mismatches: number
  /** True while a new authorization of the same payer for the same call is answered from this row. */
  readonly awaitsAnswer: boolean
  readonly claimedAt: number
  /** Number of the chain's newest block at the claim; null when it was not known. */
  readonly claimedBlock: bigint | null
  readonly settlingAt: number | null
  readonly settledAt: number | null
  /** When a reply with the verdict first left in full. */
  readonly deliveredAt: number | null
}

/** What a new row starts with: `settling` and tried once with a `settlingAt`, else `claimed`. */
export type NewPayment = Pick<
  PaymentRow,
  | keyof PaymentKey
  | 'amount'
  | 'payTo'
  | 'validBefore'
  | 'owner'
  | 'leaseUntil'
  | 'surface'
  | 'checkType'
  | 'ruleset'
  | 'shape'
  | 'items'
  | 'salt'
  | 'binding'
  | 'bindingKey'
  | 'signatureMac'
  | 'identifier'
  | 'taskKey'
  | 'claimedAt'
  | 'claimedBlock'
  | 'settlingAt'
>

/** A row as far as a compare-and-set looks at it. */
export type SeenPayment = Pick<
  PaymentRow,
  keyof PaymentKey | 'state' | 'owner' | 'leaseUntil' | 'identifier' | 'validBefore'
>

/** What may change in a row; the key, the amount and the payee never do. */
export type PaymentChange = Partial<
  Omit<
    PaymentRow,
    | keyof PaymentKey
    | 'amount'
    | 'payTo'
    | 'validBefore'
    | 'mismatches'
    | 'awaitsAnswer'
    | 'claimedBlock'
    | 'deliveredAt'
  >
>

/** A sealed verdict; nothing in it can be read without the task id. */
export interface TaskRow {
  /** SHA-256 of the task id, hex. */
  readonly key: string
  readonly sealed: Buffer
  readonly createdAt: number
  readonly expiresAt: number
  /** The authorization that was claimed for it; null while unpaid. */
  readonly payment: PaymentKey | null
  /** Why it ended without a sale: an error code, or "canceled"; null if it did not. */
  readonly ended: string | null
}

export type NewTask = Pick<TaskRow, 'key' | 'sealed' | 'createdAt' | 'expiresAt'>

/** How a claim may touch a task, in the same transaction. */
export type TaskAttachment =
  /** A task that is already in the store, unpaid and alive. */
  | {
      readonly kind: 'existing'
      readonly key: string
      readonly expiresAt: number
      readonly now: number
      /** Replaces the blob of the task. */
      readonly sealed?: Buffer
    }
  /** A task that is made together with the claim. */
  | { readonly kind: 'new'; readonly task: NewTask }

export type ClaimOutcome =
  | { readonly kind: 'claimed'; readonly row: PaymentRow }
  /** The authorization has a row already; nothing was written. */
  | { readonly kind: 'known'; readonly row: PaymentRow }
  /** Another row holds the payment identifier of one that would settle; nothing was written. */
  | { readonly kind: 'held' }
  /** The task is expired, ended or unknown; nothing was written. */
  | { readonly kind: 'task_gone' }
  /** Another authorization was claimed for the task; nothing was written. */
  | { readonly kind: 'task_taken'; readonly payment: PaymentKey }

/** One cell of the daily counts. */
export interface Count {
  /** UTC day, YYYY-MM-DD. */
  readonly day: string
  readonly surface: string
  readonly checkType: string
  readonly outcome: string
  readonly count: number
}

/** The counts of some days, added up. */
export type CountTotal = Omit<Count, 'day'>

/** What one surface and type took in some time, by the settled rows. */
export interface Revenue {
  readonly surface: string
  readonly checkType: string
  /** True for the payers that were named as the operator's own. */
  readonly own: boolean
  readonly sales: number
  /** Sales whose verdict left in full at least once. */
  readonly delivered: number
  /** Atomic units of the asset. */
  readonly revenue: bigint
}

/** How many rows are still open, for the operator and the metrics. */
export interface Backlog {
  readonly claimed: number
  readonly settling: number
  readonly inDoubt: number
  readonly unconfirmed: number
  readonly refused: number
  /** When the oldest row in doubt was claimed; null without one. */
  readonly inDoubtSince: number | null
  /** Settled rows whose transfer the audit did not find on the chain. */
  readonly auditMissing: number
  /** Settled rows before their audit. */
  readonly auditPending: number
  /** Tasks that wait for a payment and have not expired. */
  readonly unpaidTasks: number
}

/** Which rows a person should look at. */
export interface AttentionOptions {
  readonly now: number
  /** Undelivered sales are listed if they were settled from here on; bounds what is read. */
  readonly undeliveredSince: number
  /** Up to, not including, here. */
  readonly undeliveredBefore: number
  /** Rows of each kind. */
  readonly limit: number
}

/** Rows that a person should look at; each list is cut at the limit. */
export interface Attention {
  /** In doubt, unconfirmed, or settling with the lease over; oldest first. */
  readonly inDoubt: readonly PaymentRow[]
  /** Settled, but the transfer is not on the chain; oldest first. */
  readonly missing: readonly PaymentRow[]
  /** Settled, and no reply with the verdict left in full; newest first. */
  readonly undelivered: readonly PaymentRow[]
}

/** What one payer bought in some time. */
export interface PayerSales {
  readonly payer: string
  readonly sales: number
  /** Sales that took more than five seconds to settle. */
  readonly slow: number
}

/** How many different payers bought a type in some time. */
export interface TypePayers {
  readonly checkType: string
  readonly payers: number
}

/** How many rows a housekeeping run touched. */
export interface Purged {
  readonly bindings: number
  readonly tasks: number
  readonly payments: number
}

/** How long a settled row is answered again, and its binding kept. */
export interface ReplayWindows {
  /** From the first delivery. */
  readonly deliveredMs: number
  /** From the settlement, as long as nothing was delivered. */
  readonly undeliveredMs: number
}

/** How busy the store's own connections are; read from memory, without asking the store. */
export interface StoreLoad {
  /** Calls that wait for a connection, or for the commit that carries them. */
  waiting(): number
  /** Connections open, and those in use; null for a store without a pool. */
  connections(): { readonly open: number; readonly used: number } | null
}

/** The one clock of a ledger, shared by every process that uses it: leases, purges and windows go by it. */
export interface LedgerClock {
  /** UTC milliseconds. */
  now(): number
}

export interface MoveOptions {
  /**
   * False for a change that the store's machine may lose in a crash of its own, with all that was written after it;
   * true by default. Readers see it at once either way.
   */
  readonly durable?: boolean
}

export interface Ledger extends ChannelStore {
  readonly clock: LedgerClock
  readonly load: StoreLoad
  find(key: PaymentKey): Promise<PaymentRow | null>
  /** Inserts the row, durably, unless the key is known; with a task, both or neither. */
  claim(payment: NewPayment, task?: TaskAttachment): Promise<ClaimOutcome>
  /**
   * Takes over a row that no process works on (compare-and-set on `seen`) and attaches a task to it: both or neither.
   * A row in `claimed` lets the task it was claimed for go in the same transaction. `known` when another process was
   * faster.
   */
  reclaim(seen: PaymentRow, change: PaymentChange, task?: TaskAttachment): Promise<ClaimOutcome>
  /**
   * Compare-and-set: changes the row only if state, owner and lease are still those of `seen`.
   * Returns the changed row, or null when another process was faster, when the chain log in the change has already
   * settled another row, or when the payment identifier of a row that is about to settle is held by another one.
   * Rejects with `IllegalTransition` when the change is not in the table of transitions.
   */
  move(seen: SeenPayment, change: PaymentChange, options?: MoveOptions): Promise<PaymentRow | null>
  /**
   * Counts one repeat: adds to `mismatches` when it asked for something else; one statement either way. From
   * `lockedFrom` mismatches on, the row awaits an answer again. Returns the mismatches.
   */
  noteRepeat(key: PaymentKey, mismatch: boolean, lockedFrom: number): Promise<number>
  /** Records that a reply of a settled row left in full; a row with `lockedFrom` mismatches still awaits an answer. */
  noteDelivered(key: PaymentKey, at: number, lockedFrom: number): Promise<void>
  /**
   * Rows of one payer and type that may answer a new authorization for the same call, newest first:
   * those claimed since `since` that await an answer, except void ones and claims without an owner, and those that were
   * delivered at or after `deliveredSince`.
   */
  unanswered(
    payer: string,
    type: PurchaseType,
    since: number,
    deliveredSince: number,
  ): Promise<readonly PaymentRow[]>
  /** Whether a payment of this payer was ever settled here; its nonce does not matter. */
  hasSettled(payer: PaymentKey): Promise<boolean>
  /** The row that carries this payment identifier MAC; of several, the one closest to a sale. */
  findByIdentifier(identifier: Buffer): Promise<PaymentRow | null>
  /** Records the transaction about to be sent for a row; false when no settlement of the row is under way. */
  noteSent(key: PaymentKey, transaction: string): Promise<boolean>
  /**
   * Rows that need a look at the chain: in doubt, unconfirmed, refused, or settling with the lease over; oldest first,
   * after `after` if given, whatever has become of that row.
   */
  unresolved(now: number, limit: number, after?: PaymentRow): Promise<readonly PaymentRow[]>
  /** Settled rows before their audit; oldest first, after `after` if given. */
  unaudited(settledBefore: number, limit: number, after?: PaymentRow): Promise<readonly PaymentRow[]>

  /** Keeps an unpaid task unless `cap` unpaid ones are alive. */
  saveTask(task: NewTask, cap: number): Promise<'saved' | 'full'>
  findTask(key: string): Promise<TaskRow | null>
  /**
   * Ends a task for which nothing was sent: unpaid, or claimed with no process at work. False otherwise. The claim
   * loses the task in the same transaction. `sealed` replaces the blob of the task.
   */
  endTask(key: string, why: string, sealed: Buffer, now: number): Promise<boolean>

  addCounts(counts: readonly Count[]): Promise<void>
  counts(fromDay: string, toDay: string): Promise<readonly Count[]>
  /** The counts of these days, both included, added up. */
  countTotals(fromDay: string, toDay: string): Promise<readonly CountTotal[]>
  /** What was settled from `from` up to, not including, `to`; apart for `ownPayers` (lower-case addresses). */
  revenue(from: number, to: number, ownPayers: readonly string[]): Promise<readonly Revenue[]>
  backlog(): Promise<Backlog>
  attention(options: AttentionOptions): Promise<Attention>
  /** Sales of each payer, settled from `from` up to, not including, `to`. */
  payerSales(from: number, to: number): Promise<readonly PayerSales[]>
  /** The distinct payers of each type, settled from `from` up to, not including, `to`. */
  typePayers(from: number, to: number): Promise<readonly TypePayers[]>
  /** Settled rows in order of settlement, for the operator's books. */
  settled(from: number, to: number, limit: number, after?: PaymentKey): Promise<readonly PaymentRow[]>

  /** Takes a named lock for this owner unless another owner's lease is alive. */
  acquireLock(name: string, owner: string, now: number, leaseUntil: number): Promise<boolean>
  releaseLock(name: string, owner: string): Promise<void>

  /** The value of a named fact; null if it was never written. */
  findFact(name: string): Promise<string | null>
  /** Writes a named fact unless it exists (first writer wins) and returns its value. */
  ensureFact(name: string, value: string): Promise<string>
  /** Compare-and-set: replaces `seen` by `value` and returns the value. The fact must exist. */
  replaceFact(name: string, seen: string, value: string): Promise<string>

  /**
   * Deletes bindings and identifiers of ended replay windows, the hourly keys no binding needs any more, expired
   * tasks, and rows that never sold anything and are long over. SQLite overwrites what it deletes and truncates its log.
   */
  purge(now: number, windows: ReplayWindows): Promise<Purged>

  /**
   * True when the schema is at the version this code expects and the store takes writes. Rejects with the fault that a
   * write met; a success is remembered for a few seconds.
   */
  ready(): Promise<boolean>
  close(): Promise<void>
}
