import type { ChannelStore } from './channels/channel-row.ts'
import type { Attention, AttentionOptions, Backlog, Count, PayerSales } from './figures/operator-figures.ts'
import type { ServiceCount, ServiceHistory } from './figures/service-history.ts'
import type {
  NewPayment,
  PaymentChange,
  PaymentKey,
  PaymentRow,
  PurchaseType,
  SeenPayment,
} from './payments/payment-row.ts'
import type { NewTask, TaskAttachment, TaskRow } from './tasks/task-row.ts'
import type { TreasuryStore } from './treasury/treasury-row.ts'

/** Unless `claimed`, nothing was written. */
export type ClaimOutcome =
  | { readonly kind: 'claimed'; readonly row: PaymentRow }
  | { readonly kind: 'known'; readonly row: PaymentRow }
  /** The row would settle, but another one holds its payment identifier. */
  | { readonly kind: 'held' }
  /** The task is expired, ended or unknown. */
  | { readonly kind: 'task_gone' }
  | { readonly kind: 'task_taken'; readonly payment: PaymentKey }

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

export interface StoreLoad {
  /** Calls that wait for a connection, or for the commit that carries them. */
  waiting(): number
  /** Null for a store without a pool. */
  connections(): { readonly open: number; readonly used: number } | null
}

/** The clock for leases, purges and windows, shared by every process that uses the ledger. */
export interface LedgerClock {
  /** UTC milliseconds. */
  now(): number
}

export interface MoveOptions {
  /** False: a crash of the store's machine may lose the change, and then every later one too. True by default. */
  readonly durable?: boolean
  /** Changes the row only if no transaction was noted as sent for it. */
  readonly ifUnsent?: boolean
}

/**
 * The port to everything that must survive a crash or be seen by another replica: an embedded SQLite file for one
 * process, or PostgreSQL for several.
 *
 * Every method rejects with `StoreUnavailable` if the store cannot answer, and with nothing else that a caller could
 * cause. Times are UTC milliseconds unless a name says otherwise.
 */
export interface Ledger extends ChannelStore, TreasuryStore {
  readonly clock: LedgerClock
  readonly load: StoreLoad
  find(key: PaymentKey): Promise<PaymentRow | null>
  /** Inserts the row, durably, unless the key is known; with a task, both or neither. */
  claim(payment: NewPayment, task?: TaskAttachment): Promise<ClaimOutcome>
  /**
   * Takes over a row that no process works on (compare-and-set on `seen`) and attaches a task to it: both or neither.
   * The task that a row in `claimed` was claimed for is detached in the same transaction. `known` if another process
   * was faster.
   */
  reclaim(seen: PaymentRow, change: PaymentChange, task?: TaskAttachment): Promise<ClaimOutcome>
  /**
   * Compare-and-set: changes the row only if state, owner and lease are still those of `seen`.
   * Null if another process was faster, if the chain log already settled another row, or if another row that may settle
   * has the same payment identifier. Rejects with `IllegalTransition`.
   */
  move(seen: SeenPayment, change: PaymentChange, options?: MoveOptions): Promise<PaymentRow | null>
  /**
   * Counts a repeat with another type or value (`mismatch`) and returns how many of them there were; from `lockedFrom`
   * on, the row awaits an answer again. A matching repeat takes the same statement, so that its time tells nothing.
   */
  noteRepeat(key: PaymentKey, mismatch: boolean, lockedFrom: number): Promise<number>
  /** Records that a reply left in full; a row with `lockedFrom` mismatches still awaits an answer. */
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
  /** The nonce is ignored. */
  hasSettled(payer: PaymentKey): Promise<boolean>
  /** The row that carries this payment identifier MAC; of several, the one closest to a sale. */
  findByIdentifier(identifier: Buffer): Promise<PaymentRow | null>
  /** Writes the hash of a transaction about to be sent to those rows that are being settled, and returns their keys. */
  noteSent(keys: readonly PaymentKey[], transaction: string): Promise<readonly PaymentKey[]>
  /**
   * Rows to look up on the chain: in doubt, refused, or settling with an expired lease; oldest first. `after` is a row
   * already read, which may have changed since.
   */
  unresolved(now: number, limit: number, after?: PaymentRow): Promise<readonly PaymentRow[]>
  /** Oldest first. */
  unaudited(settledBefore: number, limit: number, after?: PaymentRow): Promise<readonly PaymentRow[]>

  /**
   * Stores an unpaid task unless `cap` unpaid ones are alive. A crash of the machine may lose it: nothing is paid for it
   * yet, and the claim of its payment flushes all earlier writes.
   */
  saveTask(task: NewTask, cap: number): Promise<'saved' | 'full'>
  findTask(key: string): Promise<TaskRow | null>
  /**
   * Ends a task for which nothing was sent: unpaid, or claimed with no process at work; false for any other. The claim
   * loses the task in the same transaction. `sealed` replaces the sealed verdict.
   */
  endTask(key: string, why: string, sealed: Buffer, now: number): Promise<boolean>

  addCounts(counts: readonly Count[]): Promise<void>
  counts(fromDay: string, toDay: string): Promise<readonly Count[]>
  /** `hour` is in UTC, YYYY-MM-DDTHH. */
  addServiceHour(hour: string, counts: ReadonlyMap<ServiceCount, number>): Promise<void>
  /** `fromDay` is in UTC, YYYY-MM-DD. */
  serviceHistory(fromDay: string): Promise<ServiceHistory>
  /** Sales settled from `from` until before `to`. */
  sales(from: number, to: number): Promise<readonly PayerSales[]>
  backlog(): Promise<Backlog>
  attention(options: AttentionOptions): Promise<Attention>
  /** In order of settlement. */
  settled(from: number, to: number, limit: number, after?: PaymentKey): Promise<readonly PaymentRow[]>

  /** Takes a named lock for this owner unless another owner's lease is alive. */
  acquireLock(name: string, owner: string, now: number, leaseUntil: number): Promise<boolean>
  releaseLock(name: string, owner: string): Promise<void>

  findFact(name: string): Promise<string | null>
  /** Writes a named fact unless it exists, and returns its value. */
  ensureFact(name: string, value: string): Promise<string>
  /** Compare-and-set: replaces `seen` by `value` and returns the value. The fact must exist. */
  replaceFact(name: string, seen: string, value: string): Promise<string>

  /**
   * Deletes bindings and identifiers of ended replay windows, the hourly keys no binding needs any more, expired
   * tasks, and rows that never sold anything and are long over. SQLite overwrites what it deletes and truncates its log.
   */
  purge(now: number, windows: ReplayWindows): Promise<Purged>

  /**
   * True when the schema has the version this code expects and a write succeeds. Rejects with the write's error; a
   * success is remembered for a few seconds.
   */
  ready(): Promise<boolean>
  close(): Promise<void>
}
