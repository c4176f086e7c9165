import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Count } from './operator-figures.ts'
import type { NewPayment, PaymentChange, PaymentRow, PaymentState, PurchaseType } from './payment-row.ts'
import type { CallColumns, CountTable, PaymentTable, TaskTable } from './schema.ts'
import { UNCONFIRMED } from './statements/state-literals.ts'
import type { TaskRow } from './task-row.ts'

export const toNumber = (value: number | string): number => Number(value)
const toNullableNumber = (value: number | string | null): number | null =>
  value === null ? null : Number(value)
const toBuffer = (value: Buffer | Uint8Array | null): Buffer | null =>
  value === null ? null : Buffer.from(value)

/** The call of a row, as the port shows it. */
export const toCall = (stored: Selectable<CallColumns>) => ({
  surface: stored.surface,
  checkType: stored.check_type as PurchaseType,
  ruleset: stored.ruleset,
  shape: stored.shape as PaymentRow['shape'],
  items: toNumber(stored.items),
  salt: toBuffer(stored.salt),
  binding: toBuffer(stored.binding),
  bindingKey: stored.binding_key,
})

/** A payment as stored, as the port shows it. */
export function toPaymentRow(stored: Selectable<PaymentTable>): PaymentRow {
  const isUnconfirmed = stored.state === UNCONFIRMED
  return {
    network: stored.network,
    asset: stored.asset,
    payer: stored.payer,
    nonce: stored.nonce,
    amount: BigInt(stored.amount),
    payTo: stored.pay_to,
    validBefore: toNumber(stored.valid_before),
    state: isUnconfirmed ? 'in_doubt' : (stored.state as PaymentState),
    owner: stored.owner,
    leaseUntil: toNumber(stored.lease_until),
    attempts: toNumber(stored.attempts),
    refusal: stored.refusal,
    doubt: isUnconfirmed || stored.doubt === 'denied' ? 'denied' : null,
    transaction: stored.tx,
    logIndex: toNullableNumber(stored.log_index),
    audit: stored.audit as PaymentRow['audit'],
    ...toCall(stored),
    signatureMac: toBuffer(stored.signature_mac),
    identifier: toBuffer(stored.identifier),
    taskKey: stored.task_key,
    mismatches: toNumber(stored.mismatches),
    awaitsAnswer: toNumber(stored.awaits_answer) === 1,
    claimedAt: toNumber(stored.claimed_at),
    claimedBlock: stored.claimed_block === null ? null : BigInt(stored.claimed_block),
    settlingAt: toNullableNumber(stored.settling_at),
    settledAt: toNullableNumber(stored.settled_at),
    deliveredAt: toNullableNumber(stored.delivered_at),
  }
}

/** A new payment as it is written: claimed and untried, or about to be sent for the first time. */
export function fromNewPayment(payment: NewPayment): Insertable<PaymentTable> {
  return {
    network: payment.network,
    asset: payment.asset,
    payer: payment.payer,
    nonce: payment.nonce,
    amount: payment.amount.toString(),
    pay_to: payment.payTo,
    valid_before: payment.validBefore,
    state: payment.settlingAt === null ? 'claimed' : 'settling',
    owner: payment.owner,
    lease_until: payment.leaseUntil,
    attempts: payment.settlingAt === null ? 0 : 1,
    refusal: null,
    doubt: null,
    tx: null,
    log_index: null,
    audit: null,
    surface: payment.surface,
    check_type: payment.checkType,
    ruleset: payment.ruleset,
    shape: payment.shape,
    items: payment.items,
    salt: payment.salt,
    binding: payment.binding,
    binding_key: payment.bindingKey,
    signature_mac: payment.signatureMac,
    identifier: payment.identifier,
    task_key: payment.taskKey,
    mismatches: 0,
    awaits_answer: 1,
    claimed_at: payment.claimedAt,
    claimed_block: payment.claimedBlock === null ? null : Number(payment.claimedBlock),
    settling_at: payment.settlingAt,
    settled_at: null,
    delivered_at: null,
  }
}

const COLUMN_OF = {
  state: 'state',
  owner: 'owner',
  leaseUntil: 'lease_until',
  attempts: 'attempts',
  refusal: 'refusal',
  doubt: 'doubt',
  transaction: 'tx',
  logIndex: 'log_index',
  audit: 'audit',
  surface: 'surface',
  checkType: 'check_type',
  ruleset: 'ruleset',
  shape: 'shape',
  items: 'items',
  salt: 'salt',
  binding: 'binding',
  bindingKey: 'binding_key',
  signatureMac: 'signature_mac',
  identifier: 'identifier',
  taskKey: 'task_key',
  claimedAt: 'claimed_at',
  settlingAt: 'settling_at',
  settledAt: 'settled_at',
} as const satisfies Record<keyof PaymentChange, keyof PaymentTable>

/** A change as the columns it sets. */
export function fromChange(change: PaymentChange): Updateable<PaymentTable> {
  const columns: Record<string, unknown> = {}
  for (const [member, value] of Object.entries(change))
    columns[COLUMN_OF[member as keyof PaymentChange]] = value
  return columns as Updateable<PaymentTable>
}

/** A task as stored, as the port shows it. */
export function toTaskRow(stored: Selectable<TaskTable>): TaskRow {
  const { network, asset, payer, nonce } = stored
  const claimed = network !== null && asset !== null && payer !== null && nonce !== null
  return {
    key: stored.key,
    sealed: Buffer.from(stored.sealed),
    createdAt: toNumber(stored.created_at),
    expiresAt: toNumber(stored.expires_at),
    payment: claimed ? { network, asset, payer, nonce } : null,
    ended: stored.ended,
  }
}

export function toCount(stored: Selectable<CountTable>): Count {
  return {
    day: stored.day,
    surface: stored.surface,
    checkType: stored.check_type,
    outcome: stored.outcome,
    count: toNumber(stored.count),
  }
}
