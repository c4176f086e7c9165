import type { ColumnType, Generated } from 'kysely'
import type { TreasuryTotals } from './treasury-store.ts'

/** A 64-bit integer: SQLite gives a number, PostgreSQL a number or decimal text; `toNumber` reads both. */
type Int = ColumnType<number | string, number, number>
type NullableInt = ColumnType<number | string | null, number | null, number | null>
/** Atomic units; wider than a float's 53 bits, so it is written as decimal text. */
type Amount = ColumnType<string, string, never>

/** What is kept of the call that a payment, or a channel's newest voucher, bought. */
export interface CallColumns {
  surface: string
  check_type: string
  ruleset: string
  shape: string
  items: Int
  salt: Buffer | null
  binding: Buffer | null
  binding_key: string | null
}

export interface PaymentTable extends CallColumns {
  network: string
  asset: string
  payer: string
  nonce: string
  amount: Amount
  pay_to: string
  valid_before: Int
  state: string
  owner: string | null
  lease_until: Int
  attempts: Int
  refusal: string | null
  doubt: string | null
  tx: string | null
  log_index: NullableInt
  audit: string | null
  signature_mac: Buffer | null
  identifier: Buffer | null
  task_key: string | null
  mismatches: Int
  /** 1 or 0. */
  awaits_answer: Int
  claimed_at: Int
  claimed_block: NullableInt
  settling_at: NullableInt
  settled_at: NullableInt
  delivered_at: NullableInt
}

export interface TaskTable {
  key: string
  sealed: Buffer
  created_at: Int
  expires_at: Int
  network: string | null
  asset: string | null
  payer: string | null
  nonce: string | null
  ended: string | null
}

export interface CountTable {
  day: string
  surface: string
  check_type: string
  outcome: string
  count: Int
}

export interface ServiceHourTable {
  /** UTC, YYYY-MM-DDTHH. */
  hour: string
  name: string
  count: Int
}

export interface LockTable {
  name: string
  owner: string
  lease_until: Int
}

export interface FactTable {
  name: string
  value: string
}

export interface ChannelTable extends CallColumns {
  id: string
  payer: string
  payer_authorizer: string
  receiver: string
  receiver_authorizer: string
  token: string
  withdraw_delay: Int
  config_salt: string
  balance: Amount
  total_claimed: Amount
  refund_nonce: Amount
  withdraw_requested_at: Int
  read_at: Int
  charged: Amount
  signature: string
  refunding: Amount
  refunded: Generated<string>
  mismatches: Generated<number | string>
  amount: Amount
  charged_at: Int
  tx: string | null
  calls: Int
  opened_at: Int
  revision: Int
}

export interface DepositTable {
  payer: string
  nonce: string
  channel: string
  amount: Amount
  voucher: Amount
  valid_before: Int
  state: string
  owner: string | null
  lease_until: Int
  tx: string | null
  claimed_at: Int
}

/** The sums of a day; `payer` is empty in the row of all payers together. */
export interface TreasuryTable extends Record<keyof TreasuryTotals, Int> {
  day: string
  payer: string
}

export interface ReserveTable {
  id: string
  day: string
  payer: string
  worst: Int
  amount: Int
}

/** The tables as Kysely sees them. */
export interface Schema {
  payments: PaymentTable
  channels: ChannelTable
  channel_deposits: DepositTable
  tasks: TaskTable
  counts: CountTable
  service_hours: ServiceHourTable
  locks: LockTable
  facts: FactTable
  treasury: TreasuryTable
  treasury_reserves: ReserveTable
}
