/** Statements over single payments; what each promises is said by `Ledger`. */
import { type Kysely, type Selectable, sql } from 'kysely'
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
import { fromChange, fromNewPayment, toPaymentRow } from '../rows.ts'
import type { PaymentTable, Schema } from '../schema.ts'
import { requireTransition } from '../transitions.ts'
import { type PreparedSql, preparedSql } from './prepared-sql.ts'
import { stateLiterals } from './state-literals.ts'

type Stored = Selectable<PaymentTable>

const keyOf = ({ network, asset, payer, nonce }: PaymentKey) => ({ network, asset, payer, nonce })

const IS_KEY = 'network = :network and asset = :asset and payer = :payer and nonce = :nonce'

const firstOf = ([row]: readonly Stored[]): PaymentRow | null =>
  row === undefined ? null : toPaymentRow(row)

const FIND = preparedSql<Stored>(`select * from payments where ${IS_KEY}`)

export async function findPayment(db: Kysely<Schema>, key: PaymentKey): Promise<PaymentRow | null> {
  return firstOf(await FIND(db, keyOf(key)))
}

/** Built from the first rows: every new row has the same columns. */
let insert: PreparedSql<Stored> | undefined
let insertHolding: PreparedSql<Stored> | undefined

/** Null when the key is known already, or when another row holds the identifier of one that is about to settle. */
export async function insertPayment(db: Kysely<Schema>, payment: NewPayment): Promise<PaymentRow | null> {
  const stored = fromNewPayment(payment)
  const columns = Object.keys(stored)
  if (payment.identifier === null || payment.settlingAt === null) {
    insert ??= insertStatement(columns, (values) => `values (${values})`)
    return firstOf(await insert(db, stored))
  }
  insertHolding ??= insertStatement(
    columns,
    (values) => `select ${values} where ${noOther('other.identifier = :identifier', HOLDING)}`,
  )
  return firstOf(await insertHolding(db, stored))
}

const insertStatement = (columns: readonly string[], source: (values: string) => string) =>
  preparedSql<Stored>(
    `insert into payments (${columns.join(', ')})
    ${source(columns.map((column) => `:${column}`).join(', '))}
    on conflict (network, asset, payer, nonce) do nothing returning *`,
  )

/**
 * Compare-and-set on state, owner and lease; null when they have changed, the log is another row's, or a transaction is
 * noted where none may be. A further condition is one that always holds.
 */
export async function movePayment(
  db: Kysely<Schema>,
  seen: SeenPayment,
  change: PaymentChange,
  { ifUnsent = false }: Pick<MoveOptions, 'ifUnsent'> = {},
  further?: string,
): Promise<PaymentRow | null> {
  requireTransition(seen, change)
  const columns = fromChange(change)
  const { owner, leaseUntil, identifier } = seen
  const values: Record<string, unknown> = { ...keyOf(seen), owner, leaseUntil, identifier }
  for (const [column, value] of Object.entries(columns)) values[`new_${column}`] = value
  const conditions = [...(ifUnsent ? ['tx is null'] : []), ...(further === undefined ? [] : [further])]
  return firstOf(await moveStatement(seen, change, Object.keys(columns), conditions)(db, values))
}

/** Prepared moves by the columns they set; a sale uses a handful. */
const MOVES = new Map<string, PreparedSql<Stored>>()

function moveStatement(
  { state, owner, identifier }: SeenPayment,
  change: PaymentChange,
  columns: readonly string[],
  further: readonly string[],
): PreparedSql<Stored> {
  const isFromLog = typeof change.transaction === 'string' && typeof change.logIndex === 'number'
  const holdsIdentifier = change.state === 'settling' && identifier !== null
  const shape = [state, owner === null, isFromLog, holdsIdentifier, ...further, ...columns].join(' ')
  const known = MOVES.get(shape)
  if (known !== undefined) return known
  const conditions = [
    IS_KEY,
    `state in (${stateLiterals(state)})`,
    'lease_until = :leaseUntil',
    owner === null ? 'owner is null' : 'owner = :owner',
    ...(isFromLog
      ? [noOther('other.network = :network and other.tx = :new_tx and other.log_index = :new_log_index')]
      : []),
    ...(holdsIdentifier ? [noOther('other.identifier = :identifier', HOLDING)] : []),
    ...further,
  ]
  const statement = preparedSql<Stored>(
    `update payments set ${columns.map((column) => `${column} = :new_${column}`).join(', ')}
    where ${conditions.join(' and ')} returning *`,
  )
  MOVES.set(shape, statement)
  return statement
}

/** States in which a row holds its payment identifier against others. */
const HOLDING: readonly PaymentState[] = ['settling', 'in_doubt', 'settled']

/** A condition: no row but the moved one matches (in one of these states). */
const noOther = (condition: string, states: readonly PaymentState[] = PAYMENT_STATES): string =>
  `not exists (select 1 from payments as other where ${condition}
    and other.state in (${stateLiterals(...states)})
    and (other.nonce != :nonce or other.payer != :payer))`

/** The same statement whether the repeat matched or not, so that its time tells nothing. */
const NOTE_REPEAT = preparedSql<{ mismatches: number | string }>(
  `update payments set mismatches = mismatches + :step,
  awaits_answer = case when mismatches + :again >= :lockedFrom then 1 else awaits_answer end
  where ${IS_KEY} returning mismatches`,
)

export async function noteRepeat(
  db: Kysely<Schema>,
  key: PaymentKey,
  mismatch: boolean,
  lockedFrom: number,
): Promise<number> {
  const step = mismatch ? 1 : 0
  const [row] = await NOTE_REPEAT(db, { ...keyOf(key), step, again: step, lockedFrom })
  return Number(row?.mismatches ?? 0)
}

const NOTE_DELIVERED = preparedSql(
  `update payments set delivered_at = coalesce(delivered_at, :at),
  awaits_answer = case when mismatches >= :lockedFrom then 1 else 0 end
  where ${IS_KEY} and state = 'settled'`,
)

export async function noteDelivered(
  db: Kysely<Schema>,
  key: PaymentKey,
  at: number,
  lockedFrom: number,
): Promise<void> {
  await NOTE_DELIVERED(db, { ...keyOf(key), at, lockedFrom })
}

export const noteSent = (
  db: Kysely<Schema>,
  keys: readonly PaymentKey[],
  transaction: string,
): Promise<readonly PaymentKey[]> =>
  db
    .updateTable('payments')
    .set({ tx: transaction })
    .where((row) => row.or(keys.map((key) => row.and(keyOf(key)))))
    .where(sql<boolean>`state in (${sql.raw(stateLiterals('settling', 'in_doubt'))})`)
    .returning(['network', 'asset', 'payer', 'nonce'])
    .execute()
