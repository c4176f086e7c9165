import type { ChannelCall, ChannelConfig, ChannelRow, DepositRow } from './channels/channel-row.ts'
import type { Count } from './figures/operator-figures.ts'
import type { PaymentKey, PaymentRow } from './payments/payment-row.ts'
import { UNCONFIRMED } from './payments/state-literals.ts'
import type { TaskRow } from './tasks/task-row.ts'

/** A row as a driver returns it: PostgreSQL returns 64-bit integers as text, SQLite as numbers. */
export type Stored = Readonly<Record<string, unknown>>

interface Column<Member> {
  readonly name: string
  /** Absent if the driver returns the member as it is. */
  readonly read?: (stored: unknown) => Member
  /** Absent if the driver takes the member as it is. */
  readonly write?: (member: Member) => unknown
}

type Columns<Row> = { readonly [Member in keyof Row]-?: Column<Row[Member]> }

const same = <Member>(name: string): Column<Member> => ({ name })
const integer = (name: string): Column<number> => ({ name, read: Number })
const maybeInteger = (name: string): Column<number | null> => ({
  name,
  read: (stored) => (stored === null ? null : Number(stored)),
})
/** Atomic units; wider than a float's 53 bits, so they are written as decimal text. */
const units = (name: string): Column<bigint> => ({
  name,
  read: (stored) => BigInt(stored as string),
  write: (member) => member.toString(),
})

/** How older replicas know a restored payment, and one that was adopted. */
const NO_END = 0
const ADOPTED_LEASE = 1

const CALL = {
  surface: same<string>('surface'),
  checkType: same<PaymentRow['checkType']>('check_type'),
  ruleset: same<string>('ruleset'),
  shape: same<PaymentRow['shape']>('shape'),
  items: integer('items'),
  salt: same<Buffer | null>('salt'),
  binding: same<Buffer | null>('binding'),
  bindingKey: same<string | null>('binding_key'),
}

const KEY: Columns<PaymentKey> = {
  network: same('network'),
  asset: same('asset'),
  payer: same('payer'),
  nonce: same('nonce'),
}

const PAYMENT: Columns<PaymentRow> = {
  ...KEY,
  amount: units('amount'),
  payTo: same('pay_to'),
  origin: same('origin'),
  validBefore: {
    name: 'valid_before',
    read: (stored) => (Number(stored) === NO_END ? null : Number(stored)),
    write: (member) => member ?? NO_END,
  },
  state: same('state'),
  owner: same('owner'),
  leaseUntil: integer('lease_until'),
  attempts: integer('attempts'),
  refusal: same('refusal'),
  doubt: same('doubt'),
  transaction: same('tx'),
  logIndex: maybeInteger('log_index'),
  audit: same('audit'),
  ...CALL,
  signatureMac: same('signature_mac'),
  identifier: same('identifier'),
  taskKey: same('task_key'),
  mismatches: integer('mismatches'),
  awaitsAnswer: {
    name: 'awaits_answer',
    read: (stored) => Number(stored) === 1,
    write: (member) => (member ? 1 : 0),
  },
  claimedAt: integer('claimed_at'),
  claimedBlock: {
    name: 'claimed_block',
    read: (stored) => (stored === null ? null : BigInt(stored as number)),
    write: (member) => (member === null ? null : Number(member)),
  },
  settlingAt: maybeInteger('settling_at'),
  settledAt: maybeInteger('settled_at'),
  deliveredAt: maybeInteger('delivered_at'),
}

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
  ...CALL,
  amount: units('amount'),
  chargedAt: integer('charged_at'),
  transaction: same('tx'),
}

const DEPOSIT: Columns<DepositRow> = {
  payer: same('payer'),
  nonce: same('nonce'),
  channel: same('channel'),
  amount: units('amount'),
  voucher: units('voucher'),
  validBefore: integer('valid_before'),
  state: same('state'),
  owner: same('owner'),
  leaseUntil: integer('lease_until'),
  transaction: same('tx'),
  claimedAt: integer('claimed_at'),
}

const TASK: Columns<Omit<TaskRow, 'payment'>> = {
  key: same('key'),
  sealed: same('sealed'),
  createdAt: integer('created_at'),
  expiresAt: integer('expires_at'),
  ended: same('ended'),
}

const COUNT: Columns<Count> = {
  day: same('day'),
  surface: same('surface'),
  checkType: same('check_type'),
  outcome: same('outcome'),
  count: integer('count'),
}

function reader<Row>(columns: Columns<Row>): (stored: Stored) => Row {
  const entries = Object.entries(columns as unknown as Record<string, Column<unknown>>)
  return (stored) => {
    const row: Record<string, unknown> = {}
    for (const [member, { name, read }] of entries)
      row[member] = read === undefined ? stored[name] : read(stored[name])
    return row as Row
  }
}

/** Values are named after their columns. */
function writer<Row>(columns: Columns<Row>): (part: Partial<Row>) => Record<string, unknown> {
  const byMember = columns as unknown as Record<string, Column<unknown>>
  return (part) => {
    const values: Record<string, unknown> = {}
    for (const [member, value] of Object.entries(part)) {
      const { name, write } = byMember[member]!
      values[name] = write === undefined ? value : write(value)
    }
    return values
  }
}

const readPayment = reader(PAYMENT)
/** Older replicas write `denied` doubt as a state of its own, and no origin. */
export function toPaymentRow(stored: Stored): PaymentRow {
  const row = readPayment(stored)
  const isAdopted = row.validBefore === null && row.state === 'settled' && row.leaseUntil === ADOPTED_LEASE
  const origin = isAdopted ? 'adopted' : (row.origin ?? (row.validBefore === null ? 'restored' : 'sale'))
  return stored.state === UNCONFIRMED
    ? { ...row, origin, state: 'in_doubt', doubt: 'denied' }
    : { ...row, origin }
}

const writePayment = writer(PAYMENT)
export const fromPayment = (part: Partial<PaymentRow>) => ({
  ...writePayment(part),
  ...(part.origin === 'adopted' ? { lease_until: ADOPTED_LEASE } : {}),
})

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

export const toDepositRow = reader(DEPOSIT)
export const fromDeposit = writer(DEPOSIT)

const [readTask, readKey] = [reader(TASK), reader(KEY)]
export const toTaskRow = (stored: Stored): TaskRow => ({
  ...readTask(stored),
  payment: stored.nonce === null ? null : readKey(stored),
})

export const toCount = reader(COUNT)
export const fromCount = writer(COUNT)
