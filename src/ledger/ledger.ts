import type { ChannelStore } from './channel-store.ts'
import type {
  Attention,
  AttentionOptions,
  Backlog,
  Count,
  CountTotal,
  PayerSales,
} from './operator-figures.ts'
import type {
  NewPayment,
  PaymentChange,
  PaymentKey,
  PaymentRow,
  PurchaseType,
  SeenPayment,
} from './payment-row.ts'
import type { NewTask, TaskAttachment, TaskRow } from './task-row.ts'

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
  /** True for a change of a row for which no transaction was ever noted as sent; false by default. */
  readonly ifUnsent?: boolean
}

/**
 * The port to everything that must survive a crash or be seen by another replica.
 *
 * Two adapters implement it: an embedded SQLite file for one process, PostgreSQL for several. Both pass the same
 * contract tests. Every method rejects with `StoreUnavailable` when the store cannot answer, and with
 * nothing else that a caller could cause. All times are UTC milliseconds unless a name says otherwise.
 */
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
   * settled another row, when the payment identifier of a row that is about to settle is held by another one, or when
   * `ifUnsent` is asked for and a transaction is noted.
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
   * Rows that need a look at the chain: in doubt, refused, or settling with the lease over; oldest first,
   * after `after` if given, whatever has become of that row.
   */
  unresolved(now: number, limit: number, after?: PaymentRow): Promise<readonly PaymentRow[]>
  /** Settled rows before their audit; oldest first, after `after` if given. */
  unaudited(settledBefore: number, limit: number, after?: PaymentRow): Promise<readonly PaymentRow[]>

  /**
   * Keeps an unpaid task unless `cap` unpaid ones are alive. A crash of the machine, but not of the process, may lose it:
   * nothing is paid for it yet, and the claim of its payment is flushed with all that was written before.
   */
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
  /** What was settled from `from` up to, not including, `to`, by surface, type and payer. */
  sales(from: number, to: number): Promise<readonly PayerSales[]>
  backlog(): Promise<Backlog>
  attention(options: AttentionOptions): Promise<Attention>
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
