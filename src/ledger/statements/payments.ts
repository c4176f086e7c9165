/** Statements over single payments; what each promises is said by `Ledger`. */
import type { MoveOptions } from '../ledger.ts'
import {
  type NewPayment,
  PAYMENT_STATES,
  type PaymentChange,
  type PaymentKey,
  type PaymentRow,
  type PaymentState,
  type SeenPayment,
} from '../payment-row.ts'
import { fromPayment, type Stored, toPaymentRow } from '../rows.ts'
import { type Sql, tuples } from '../sql.ts'
import { requireTransition } from '../transitions.ts'
import { stateLiterals } from './state-literals.ts'

const keyOf = ({ network, asset, payer, nonce }: PaymentKey) => ({ network, asset, payer, nonce })

const IS_KEY = 'network = :network and asset = :asset and payer = :payer and nonce = :nonce'

const firstOf = ([row]: readonly Stored[]): PaymentRow | null =>
  row === undefined ? null : toPaymentRow(row)

const FIND = `select * from payments where ${IS_KEY}`

export async function findPayment(db: Sql, key: PaymentKey): Promise<PaymentRow | null> {
  return firstOf(await db.rows(FIND, keyOf(key)))
}

/** Null when the key is known already, or when another row holds the identifier of one that is about to settle. */
export async function insertPayment(db: Sql, payment: NewPayment): Promise<PaymentRow | null> {
  const isSent = payment.settlingAt !== null
  const begun = { state: isSent ? 'settling' : 'claimed', attempts: isSent ? 1 : 0 } as const
  const values = fromPayment({ ...payment, ...begun, mismatches: 0, awaitsAnswer: true })
  const isHolding = isSent && payment.identifier !== null
  return firstOf(await db.rows(insertStatement(Object.keys(values), isHolding), values))
}

function insertStatement(columns: readonly string[], isHolding: boolean): string {
  const given = columns.map((column) => `:${column}`).join(', ')
  const source = isHolding
    ? `select ${given} where ${noOther('other.identifier = :identifier', HOLDING)}`
    : `values (${given})`
  return `insert into payments (${columns.join(', ')}) ${source}
    on conflict (network, asset, payer, nonce) do nothing returning *`
}

/**
 * Compare-and-set on state, owner and lease; null when they have changed, the log is another row's, or a transaction is
 * noted where none may be. A further condition is one that always holds.
 */
export async function movePayment(
  db: Sql,
  seen: SeenPayment,
  change: PaymentChange,
  { ifUnsent = false }: Pick<MoveOptions, 'ifUnsent'> = {},
  further?: string,
): Promise<PaymentRow | null> {
  requireTransition(seen, change)
  const columns = fromPayment(change)
  const { owner, leaseUntil, identifier } = seen
  const values: Record<string, unknown> = { ...keyOf(seen), owner, leaseUntil, identifier }
  for (const [column, value] of Object.entries(columns)) values[`new_${column}`] = value
  const conditions = [...(ifUnsent ? ['tx is null'] : []), ...(further === undefined ? [] : [further])]
  return firstOf(await db.rows(moveStatement(seen, change, Object.keys(columns), conditions), values))
}

function moveStatement(
  { state, owner, identifier }: SeenPayment,
  change: PaymentChange,
  columns: readonly string[],
  further: readonly string[],
): string {
  const isFromLog = typeof change.transaction === 'string' && typeof change.logIndex === 'number'
  const conditions = [
    IS_KEY,
    `state in (${stateLiterals(state)})`,
    'lease_until = :leaseUntil',
    owner === null ? 'owner is null' : 'owner = :owner',
    ...(isFromLog
      ? [noOther('other.network = :network and other.tx = :new_tx and other.log_index = :new_log_index')]
      : []),
    ...(change.state === 'settling' && identifier !== null
      ? [noOther('other.identifier = :identifier', HOLDING)]
      : []),
    ...further,
  ]
  return `update payments set ${columns.map((column) => `${column} = :new_${column}`).join(', ')}
    where ${conditions.join(' and ')} returning *`
}

/** States in which a row holds its payment identifier against others. */
const HOLDING: readonly PaymentState[] = ['settling', 'in_doubt', 'settled']

/** A condition: no row but the moved one matches (in one of these states). */
const noOther = (condition: string, states: readonly PaymentState[] = PAYMENT_STATES): string =>
  `not exists (select 1 from payments as other where ${condition}
    and other.state in (${stateLiterals(...states)})
    and (other.nonce != :nonce or other.payer != :payer))`

/** The same statement whether the repeat matched or not, so that its time tells nothing. */
const NOTE_REPEAT = `update payments set mismatches = mismatches + :step,
  awaits_answer = case when mismatches + :step >= :lockedFrom then 1 else awaits_answer end
  where ${IS_KEY} returning mismatches`

export async function noteRepeat(
  db: Sql,
  key: PaymentKey,
  mismatch: boolean,
  lockedFrom: number,
): Promise<number> {
  const values = { ...keyOf(key), step: mismatch ? 1 : 0, lockedFrom }
  const [row] = await db.rows<Stored>(NOTE_REPEAT, values)
  return Number(row?.mismatches ?? 0)
}

const NOTE_DELIVERED = `update payments set delivered_at = coalesce(delivered_at, :at),
  awaits_answer = case when mismatches >= :lockedFrom then 1 else 0 end
  where ${IS_KEY} and state = 'settled'`

export async function noteDelivered(db: Sql, key: PaymentKey, at: number, lockedFrom: number): Promise<void> {
  await db.rows(NOTE_DELIVERED, { ...keyOf(key), at, lockedFrom })
}

export function noteSent(
  db: Sql,
  keys: readonly PaymentKey[],
  transaction: string,
): Promise<readonly PaymentKey[]> {
  const { text, values } = tuples(keys.map(keyOf))
  return db.rows(
    `update payments set tx = :transaction where (network, asset, payer, nonce) in (values ${text})
    and state in (${stateLiterals('settling', 'in_doubt')}) returning network, asset, payer, nonce`,
    { ...values, transaction },
  )
}
