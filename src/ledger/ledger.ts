import type { CheckType } from '../checks/verdict.ts'

/**
 * The port to everything that has to survive a crash or be seen by another replica.
 *
 * Two adapters keep it: an embedded SQLite file for one process, PostgreSQL for several. Both pass the same
 * contract tests. Every method rejects with {@link StoreUnavailable} when the store cannot answer, and with
 * nothing else that a caller could cause. All times are UTC milliseconds unless a name says otherwise.
 */

/** Thrown by every adapter when the store does not answer; nothing is known to have been written. */
export class StoreUnavailable extends Error {
  override readonly name = 'StoreUnavailable'
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

export const PAYMENT_STATES = ['claimed', 'settling', 'settled', 'refused', 'in_doubt', 'dead'] as const
export type PaymentState = (typeof PAYMENT_STATES)[number]

/** One authorization and what became of it. */
export interface PaymentRow extends PaymentKey {
  /** Atomic units of the asset. */
  readonly amount: bigint
  readonly payTo: string
  /** UTC seconds, as signed. */
  readonly validBefore: number
  readonly state: PaymentState
  /** Boot id of the process that works on the row; null when nobody does. */
  readonly owner: string | null
  readonly leaseUntil: number
  /** How often a settlement of this authorization was tried. */
  readonly attempts: number
  /** Our code of the last refusal. */
  readonly refusal: string | null
  readonly transaction: string | null
  readonly logIndex: number | null
  /** A settled row whose transfer was looked for on the chain: found, missing, or not looked for yet (null). */
  readonly audit: 'found' | 'missing' | null
  readonly surface: string
  readonly checkType: CheckType
  readonly ruleset: string
  /** Salt and MAC over type and value; null once the replay window is over. */
  readonly salt: Buffer | null
  readonly binding: Buffer | null
  /** MAC of payer and payment identifier; null when the buyer sent none or the replay window is over. */
  readonly identifier: Buffer | null
  /** Hash of the id of the task the verdict lies sealed under, where there is one. */
  readonly taskKey: string | null
  /** How many requests came with this authorization and another type or value. */
  readonly mismatches: number
  readonly mismatchedAt: number | null
  readonly claimedAt: number
  readonly settlingAt: number | null
  readonly settledAt: number | null
  /** When a reply with the verdict left in full. */
  readonly deliveredAt: number | null
}

/** What a new row starts with; it starts as `claimed`. */
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
  | 'salt'
  | 'binding'
  | 'identifier'
  | 'taskKey'
  | 'claimedAt'
>

/** What may change in a row; the key, the amount and the payee never do. */
export type PaymentChange = Partial<
  Omit<PaymentRow, keyof PaymentKey | 'amount' | 'payTo' | 'validBefore' | 'mismatches' | 'mismatchedAt'>
>

/** A verdict that waits for its payment, or was paid for: nothing in it can be read without the task id. */
export interface TaskRow {
  /** SHA-256 of the task id, hex. */
  readonly key: string
  readonly sealed: Buffer
  readonly createdAt: number
  readonly expiresAt: number
  /** The authorization that was claimed for it; null while unpaid. */
  readonly payment: PaymentKey | null
  /** Why it ended without a sale: an error code, or "canceled"; null otherwise. */
  readonly ended: string | null
}

export type NewTask = Pick<TaskRow, 'key' | 'sealed' | 'createdAt' | 'expiresAt'>

/** How a claim may touch a task, in the same transaction. */
export type TaskAttachment =
  /** A task that already lies in the store, unpaid and alive. */
  | { readonly kind: 'existing'; readonly key: string; readonly expiresAt: number; readonly now: number }
  /** A task that is made together with the claim. */
  | { readonly kind: 'new'; readonly task: NewTask }

export type ClaimOutcome =
  | { readonly kind: 'claimed'; readonly row: PaymentRow }
  /** The authorization has a row already; nothing was written. */
  | { readonly kind: 'known'; readonly row: PaymentRow }
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

/** How many rows there are that somebody, or a loop, has to do something about. */
export interface Backlog {
  readonly claimed: number
  readonly settling: number
  readonly inDoubt: number
  readonly refused: number
  /** When the oldest row in doubt was claimed; null when there is none. */
  readonly inDoubtSince: number | null
  /** Settled rows whose transfer was looked for and is not on the chain. */
  readonly auditMissing: number
  /** Settled rows whose transfer was not looked for yet. */
  readonly auditPending: number
}

/** How many rows a housekeeping run touched. */
export interface Purged {
  readonly bindings: number
  readonly tasks: number
  readonly payments: number
}

export interface Ledger {
  find(key: PaymentKey): Promise<PaymentRow | null>
  /** Inserts the row, durably, unless the key is known; with a task, both or neither. */
  claim(payment: NewPayment, task?: TaskAttachment): Promise<ClaimOutcome>
  /**
   * Takes over a row that nobody works on (compare-and-set on `seen`), with a new owner and whatever the new request
   * asks for, and ties its task to it: both or neither. `known` when somebody else was faster.
   */
  reclaim(seen: PaymentRow, change: PaymentChange, task?: TaskAttachment): Promise<ClaimOutcome>
  /**
   * Compare-and-set: changes the row only if state, owner and lease are still those of `seen`.
   * Durable for every state but `claimed`. Returns the changed row, or null when somebody else was faster, when the
   * chain log named in the change has already settled another row, or when a row is to settle whose payment
   * identifier another one is being, or was, sold under.
   */
  move(seen: PaymentRow, change: PaymentChange): Promise<PaymentRow | null>
  /** Notes one repeat: adds to `mismatches` when it asked for something else; one statement either way. */
  noteRepeat(key: PaymentKey, mismatch: boolean, at: number): Promise<void>
  /** Notes that the reply left; not waited for by the buyer. */
  noteDelivered(key: PaymentKey, at: number): Promise<void>
  /**
   * Rows of one payer and type, claimed since, that are in doubt (or settling with the lease over at `now`), or settled
   * with no reply delivered; newest first.
   */
  unanswered(payer: string, checkType: CheckType, since: number, now: number): Promise<readonly PaymentRow[]>
  /** The row that carries this payment identifier MAC; of several the one that came furthest towards a sale. */
  findByIdentifier(identifier: Buffer): Promise<PaymentRow | null>
  /** Writes down the transaction about to be sent for a row; false when no settlement of it is under way. */
  noteSent(key: PaymentKey, transaction: string): Promise<boolean>
  /**
   * Rows the chain has to be asked about: in doubt, refused, or settling with the lease over; oldest first, behind
   * `after` where it is given, whatever has become of that row.
   */
  unresolved(now: number, limit: number, after?: PaymentRow): Promise<readonly PaymentRow[]>
  /** Settled rows whose transfer was not looked for yet; oldest first, behind `after` where it is given. */
  unaudited(settledBefore: number, limit: number, after?: PaymentRow): Promise<readonly PaymentRow[]>

  /** Keeps an unpaid task unless `cap` unpaid ones are alive. */
  saveTask(task: NewTask, cap: number): Promise<'saved' | 'full'>
  findTask(key: string): Promise<TaskRow | null>
  /** Ends an unpaid task; false when it is claimed, ended or gone. */
  endTask(key: string, why: string): Promise<boolean>

  addCounts(counts: readonly Count[]): Promise<void>
  counts(fromDay: string, toDay: string): Promise<readonly Count[]>
  /** The same added up over the days; both days are included. */
  countTotals(fromDay: string, toDay: string): Promise<readonly CountTotal[]>
  /** What was settled from `from` up to, not including, `to`; apart for `ownPayers` (lower-case addresses). */
  takings(from: number, to: number, ownPayers: readonly string[]): Promise<readonly Revenue[]>
  standing(): Promise<Backlog>
  /** Settled rows in order of settlement, for the operator's books. */
  settled(from: number, to: number, limit: number, after?: PaymentKey): Promise<readonly PaymentRow[]>

  /** Takes a named lock for this owner unless another owner's lease lives. */
  acquireLock(name: string, owner: string, now: number, leaseUntil: number): Promise<boolean>
  releaseLock(name: string, owner: string): Promise<void>

  /** Reads a small named fact; writes it if there is none (first writer wins) and returns what stands. */
  ensureFact(name: string, value: string): Promise<string>
  /** Compare-and-set: puts `value` in place of `seen` and returns what stands then. The fact has to be there. */
  replaceFact(name: string, seen: string, value: string): Promise<string>

  /** Deletes bindings and identifiers of ended replay windows, tasks past their life, and unsold rows long over. */
  purge(now: number, replayWindowMs: number): Promise<Purged>

  /** True when the schema is at the version this code expects and a trivial read answers. */
  ready(): Promise<boolean>
  close(): Promise<void>
}
