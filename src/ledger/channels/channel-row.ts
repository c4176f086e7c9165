import type { PaymentKey, PaymentRow } from '../payments/payment-row.ts'
import type { TaskAttachment } from '../tasks/task-row.ts'

/** A payment channel's parameters; its id is their EIP-712 hash. Addresses and salt are lower-case hex. */
export interface ChannelConfig {
  readonly payer: string
  /** The key that signs vouchers. */
  readonly payerAuthorizer: string
  readonly receiver: string
  /** The key that signs claims and refunds. */
  readonly receiverAuthorizer: string
  readonly token: string
  /** Seconds. */
  readonly withdrawDelay: number
  /** 32 bytes. */
  readonly salt: string
}

/** A channel's state in the settlement contract. Atomic units. */
export interface ChannelState {
  /** Deposited and not paid back; claims do not lower it. */
  readonly balance: bigint
  readonly totalClaimed: bigint
  readonly refundNonce: bigint
  /** When the payer began to withdraw, UTC seconds; 0 if no withdrawal is pending. */
  readonly withdrawRequestedAt: number
}

/** The call that the newest voucher paid for. */
export interface ChannelCall
  extends Pick<
    PaymentRow,
    'surface' | 'checkType' | 'ruleset' | 'shape' | 'items' | 'salt' | 'binding' | 'bindingKey'
  > {
  readonly amount: bigint
  /** UTC milliseconds. */
  readonly chargedAt: number
  /** The deposit that came with the call; null without one. */
  readonly transaction: string | null
}

export interface ChannelRow extends ChannelState {
  /** 32 bytes, lower-case hex. */
  readonly id: string
  readonly config: ChannelConfig
  /** When the state was read from the chain, UTC milliseconds. */
  readonly readAt: number
  /** The sum of all prices, which is also what the newest voucher is signed for. */
  readonly charged: bigint
  /** The payer's signature over `charged`. */
  readonly signature: string
  /** Amount of a refund that was signed for `refundNonce` and is not known to be mined; 0 without one. */
  readonly refunding: bigint
  /** `charged` when the last refund was signed; 0 before the first one. */
  readonly refunded: bigint
  readonly lastCall: ChannelCall
  /** How many other calls came with the newest voucher after it had paid for `lastCall`. */
  readonly mismatches: number
  readonly calls: number
  readonly openedAt: number
  readonly revision: number
}

export type NewChannel = Omit<ChannelRow, 'refunding' | 'refunded' | 'mismatches' | 'calls' | 'revision'>

export type ChannelChange = Partial<
  ChannelState &
    Pick<ChannelRow, 'readAt' | 'charged' | 'signature' | 'refunding' | 'refunded' | 'lastCall' | 'calls'>
>

export const movedChannel = (seen: ChannelRow, change: ChannelChange): ChannelRow => ({
  ...seen,
  ...change,
  ...(change.lastCall === undefined ? {} : { mismatches: 0 }),
  revision: seen.revision + 1,
})

export type ChannelCharge =
  | { readonly kind: 'open'; readonly channel: NewChannel }
  | { readonly kind: 'move'; readonly seen: ChannelRow; readonly change: ChannelChange }

/** `payment` stands for the channel and the voucher's amount. */
export interface ChargedTask {
  readonly payment: PaymentKey
  readonly attachment: TaskAttachment
}

/** Unless `charged`, nothing was written. */
export type TaskCharge =
  | { readonly kind: 'charged'; readonly row: ChannelRow }
  | { readonly kind: 'raced' }
  /** The task is expired, ended or unknown. */
  | { readonly kind: 'task_gone' }
  | { readonly kind: 'task_taken' }

/**
 * `sending`: it may have been sent; while the lease is alive its owner is at work, after that the chain must be read. One
 * that was not sent, or expired unused, has no row.
 */
export type DepositState = 'sending' | 'landed'

/** One ERC-3009 authorization that brings money into a channel. */
export interface DepositRow {
  readonly payer: string
  readonly nonce: string
  readonly channel: string
  readonly amount: bigint
  /** What the voucher that came with it is signed for. */
  readonly voucher: bigint
  /** UTC seconds. */
  readonly validBefore: number
  readonly state: DepositState
  readonly owner: string | null
  readonly leaseUntil: number
  readonly transaction: string | null
  readonly claimedAt: number
}

export type DepositChange = Partial<Pick<DepositRow, 'state' | 'owner' | 'leaseUntil' | 'transaction'>>

/** Amounts in atomic units. */
export interface ChannelTotals {
  readonly channels: number
  readonly calls: number
  readonly deposited: bigint
  readonly charged: bigint
  readonly claimed: bigint
  /** Charged and not claimed, as far as the channel's balance covers it. */
  readonly exposed: bigint
  /** Charged beyond the channel's balance: lost, unless the payer deposits again. */
  readonly lost: bigint
  /** Channels that hold more than was claimed. */
  readonly open: number
  readonly withdrawing: number
  /** Channels with a withdrawal of which something charged can still be claimed. */
  readonly urgent: number
  /** Channels of which more was claimed than this store has charged, as after a restore. */
  readonly ahead: number
  /** Among open channels; UTC milliseconds. */
  readonly oldestReadAt: number | null
  readonly depositsInDoubt: number
}

export interface ChannelStore {
  findChannel(id: string): Promise<ChannelRow | null>
  /** Inserts the channel with its first call, durably; null if the id is known. */
  openChannel(channel: NewChannel): Promise<ChannelRow | null>
  /** Compare-and-set on the revision, durable; null if another process was faster. */
  moveChannel(seen: ChannelRow, change: ChannelChange): Promise<ChannelRow | null>
  /** Counts a repeat of the newest voucher with another call (`mismatch`); otherwise as `noteRepeat`. */
  noteVoucherRepeat(seen: ChannelRow, mismatch: boolean): Promise<number>
  /** Charges a call and attaches its task, durably: both or neither. */
  chargeWithTask(charge: ChannelCharge, task: ChargedTask): Promise<TaskCharge>
  /** Attaches a task to a call that was charged before, durably; false if it is gone or attached to another payment. */
  showCharge(task: ChargedTask): Promise<boolean>
  findDeposit(payer: string, nonce: string): Promise<DepositRow | null>
  /** Inserts the deposit, durably; null if payer and nonce are known. */
  claimDeposit(deposit: DepositRow): Promise<DepositRow | null>
  /** Compare-and-set on state, owner and lease, durable; `null` deletes the deposit. */
  moveDeposit(seen: DepositRow, change: DepositChange | null): Promise<DepositRow | null>
  depositsWith(channel: string, voucher: bigint): Promise<readonly DepositRow[]>
  /** Deposits that may have been sent and whose lease is over; oldest first. */
  unresolvedDeposits(now: number, limit: number): Promise<readonly DepositRow[]>
  /** The largest unclaimed amount first. */
  claimableChannels(limit: number): Promise<readonly ChannelRow[]>
  /** Channels that hold more than was claimed, in order of their ids. */
  fundedChannels(limit: number, after?: string): Promise<readonly ChannelRow[]>
  /** In order of their ids. */
  listChannels(limit: number, after?: string): Promise<readonly ChannelRow[]>
  channelTotals(now: number): Promise<ChannelTotals>
}
