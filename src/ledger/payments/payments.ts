import type { Stored } from '../store/columns.ts'
import { type Sql, tuples } from '../store/sql.ts'
import { claimedRow, type NewPayment } from './new-payment.ts'
import type { PaymentChange, PaymentKey, PaymentRow, PaymentState, SeenPayment } from './payment-row.ts'
import { fromPayment, PAYMENT_COLUMNS, PAYMENT_STATES, toPaymentRow } from './payment-row.ts'
import { stateLiterals } from './state-literals.ts'
import { requireTransition } from './transitions.ts'

export const IS_KEY = 'network = :network and asset = :asset and payer = :payer and nonce = :nonce'

const firstOf = ([row]: readonly Stored[]): PaymentRow | null =>
  row === undefined ? null : toPaymentRow(row)

const FIND = `select * from payments where ${IS_KEY}`

export async function findPayment(db: Sql, key: PaymentKey): Promise<PaymentRow | null> {
  return firstOf(await db.rows(FIND, { ...key }))
}

/** A condition: no other row than this one matches. */
const noOther = (condition: string): string =>
  `not exists (select 1 from payments as other where ${condition}
    and (other.nonce != :nonce or other.payer != :payer))`

const NO_OTHER_OF_LOG = noOther(
  'other.network = :network and other.tx = :new_tx and other.log_index = :new_log_index',
)
/** A row in one of these states holds its payment identifier against others. */
const NO_OTHER_HOLDS = noOther(
  `other.identifier = :identifier and other.state in (${stateLiterals('settling', 'in_doubt', 'settled')})`,
)

const COLUMNS = PAYMENT_COLUMNS.join(', ')
const GIVEN = PAYMENT_COLUMNS.map((column) => `:${column}`).join(', ')
const insertFrom = (source: string): string =>
  `insert into payments (${COLUMNS}) ${source}
    on conflict (network, asset, payer, nonce) do nothing returning nonce`
const INSERT = insertFrom(`values (${GIVEN})`)
const INSERT_UNLESS_HELD = insertFrom(`select ${GIVEN} where ${NO_OTHER_HOLDS}`)

/** Null if the key is known already, or if the new row would settle and another one holds its payment identifier. */
export async function insertPayment(db: Sql, payment: NewPayment): Promise<PaymentRow | null> {
  const row = claimedRow(payment)
  const mayBeHeld = row.state === 'settling' && row.identifier !== null
  const inserted = await db.rows(mayBeHeld ? INSERT_UNLESS_HELD : INSERT, fromPayment(row))
  return inserted.length === 0 ? null : row
}

const IS_IN = Object.fromEntries(
  PAYMENT_STATES.map((state) => [state, `state in (${stateLiterals(state)})`]),
) as Record<PaymentState, string>

export interface MoveOptions {
  /** Changes the row only if no transaction was noted as sent for it. */
  readonly ifUnsent?: boolean
}

/**
 * Compare-and-set on state, owner, lease and origin of `seen`; with `ifUnsent`, only if no transaction was noted as
 * sent. Null if another process was faster, if the chain log settled another row, or if another row that may settle has
 * the same payment identifier. Throws {@link IllegalTransition}.
 */
export async function movePayment(
  db: Sql,
  seen: SeenPayment,
  change: PaymentChange,
  { ifUnsent = false }: MoveOptions = {},
): Promise<PaymentRow | null> {
  requireTransition(seen, change)
  const { transaction, logIndex, state } = change
  const isFromLog = typeof transaction === 'string' && typeof logIndex === 'number'
  const conditions = [
    IS_KEY,
    IS_IN[seen.state],
    'lease_until = :leaseUntil',
    'origin = :origin',
    seen.owner === null ? 'owner is null' : 'owner = :owner',
    ...(isFromLog ? [NO_OTHER_OF_LOG] : []),
    ...(state === 'settling' && seen.identifier !== null ? [NO_OTHER_HOLDS] : []),
    ...(ifUnsent ? ['tx is null'] : []),
    db.always ?? 'true',
  ]
  const values: Record<string, unknown> = { ...seen }
  const assignments: string[] = []
  for (const [column, value] of Object.entries(fromPayment(change))) {
    values[`new_${column}`] = value
    assignments.push(`${column} = :new_${column}`)
  }
  const statement = `update payments set ${assignments.join(', ')}
    where ${conditions.join(' and ')} returning *`
  return firstOf(await db.rows(statement, values))
}

const NOTE_REPEAT = `update payments set mismatches = mismatches + :step,
  awaits_answer = case when mismatches + :step >= :lockedFrom then 1 else awaits_answer end
  where ${IS_KEY} returning mismatches`

/**
 * Returns how many mismatches there were; from `lockedFrom` on, the row awaits an answer again. A matching repeat takes
 * the same statement, so that its time tells nothing.
 */
export async function noteRepeat(
  db: Sql,
  key: PaymentKey,
  mismatch: boolean,
  lockedFrom: number,
): Promise<number> {
  const values = { ...key, step: mismatch ? 1 : 0, lockedFrom }
  const [row] = await db.rows<Stored>(NOTE_REPEAT, values)
  return Number(row?.mismatches ?? 0)
}

const NOTE_DELIVERED = `update payments set delivered_at = coalesce(delivered_at, :at),
  awaits_answer = case when mismatches >= :lockedFrom then 1 else 0 end
  where ${IS_KEY} and state = 'settled'`

/** Records that a reply left in full; a row with `lockedFrom` mismatches still awaits an answer. */
export async function noteDelivered(db: Sql, key: PaymentKey, at: number, lockedFrom: number): Promise<void> {
  await db.rows(NOTE_DELIVERED, { ...key, at, lockedFrom })
}

/** Writes the hash of a transaction about to be sent to those rows that are being settled, and returns their keys. */
export function noteSent(
  db: Sql,
  keys: readonly PaymentKey[],
  transaction: string,
): Promise<readonly PaymentKey[]> {
  const { text, values } = tuples(
    keys.map(({ network, asset, payer, nonce }) => ({ network, asset, payer, nonce })),
  )
  return db.rows(
    `update payments set tx = :transaction where (network, asset, payer, nonce) in (values ${text})
    and state in (${stateLiterals('settling', 'in_doubt')}) returning network, asset, payer, nonce`,
    { ...values, transaction },
  )
}
