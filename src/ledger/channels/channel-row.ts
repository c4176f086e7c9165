import { CALL_COLUMNS, type PaymentKey, type PaymentRow } from '../payments/payment-row.ts'
import { type Columns, integer, reader, type Stored, same, units, writer } from '../store/columns.ts'
import type { TaskAttachment } from '../tasks/task-row.ts'

/** A payment channel's parameters; its id is their EIP-712 hash. Addresses and salt are lower-case hex. */
export interface ChannelConfig {
  readonly payer: string
  readonly payerAuthorizer: string
  readonly receiver: string
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

/** A task to attach to a charge; `payment` is the key made of the channel and the voucher's amount. */
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

const CHANNEL: Columns<Omit<ChannelRow, 'config' | 'lastCall'>> = {
  id: same('id'),
  balance: units('balance'),
  totalClaimed: units('total_claimed'),
  refundNonce: units('refund_nonce'),
  withdrawRequestedAt: integer('withdraw_requested_at'),
  readAt: integer('read_at'),
  charged: units('charged'),
  signature: same('signature'),
  refunding: units('refunding'),
  refunded: units('refunded'),
  mismatches: integer('mismatches'),
  calls: integer('calls'),
  openedAt: integer('opened_at'),
  revision: integer('revision'),
}
const CONFIG: Columns<ChannelConfig> = {
  payer: same('payer'),
  payerAuthorizer: same('payer_authorizer'),
  receiver: same('receiver'),
  receiverAuthorizer: same('receiver_authorizer'),
  token: same('token'),
  withdrawDelay: integer('withdraw_delay'),
  salt: same('config_salt'),
}
const LAST_CALL: Columns<ChannelCall> = {
  ...CALL_COLUMNS,
  amount: units('amount'),
  chargedAt: integer('charged_at'),
  transaction: same('tx'),
}

const [readChannel, readConfig, readCall] = [reader(CHANNEL), reader(CONFIG), reader(LAST_CALL)]
export const toChannelRow = (stored: Stored): ChannelRow => ({
  ...readChannel(stored),
  config: readConfig(stored),
  lastCall: readCall(stored),
})

const [writeChannel, writeConfig, writeCall] = [writer(CHANNEL), writer(CONFIG), writer(LAST_CALL)]
export const fromChannel = ({ config, lastCall, ...channel }: Partial<ChannelRow>) => ({
  ...writeChannel(channel),
  ...(config === undefined ? {} : writeConfig(config)),
  ...(lastCall === undefined ? {} : { ...writeCall(lastCall), mismatches: 0 }),
})
