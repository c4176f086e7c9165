/** Statements over the operator's account; what each promises is said by `TreasuryStore`. */
import type { Kysely } from 'kysely'
import type { Schema } from '../schema.ts'
import type { Admission, ChannelAct, Fuse, Outlay, Purpose, TreasuryTotals } from '../treasury-store.ts'
import { preparedSql } from './prepared-sql.ts'

type Db = Kysely<Schema>
type Stored = number | string
interface Reserve {
  readonly day: string
  readonly payer: string
  readonly worst: bigint
  readonly amount: bigint
}

/** Credit may take this part of the fuse, so that channels alone never stop single payments. */
const CREDIT_SHARE = 2n

/** The row of all payers; a statement that changes it holds its lock to the end of the transaction. */
const LOCK_DAY = preparedSql(
  `insert into treasury (day, payer) values (:day, '')
  on conflict (day, payer) do update set reserved = treasury.reserved`,
)

// PostgreSQL would compare parameters without a type as text.
const HOLD = preparedSql<object>(
  `update treasury set reserved = reserved + cast(:amount as bigint), credit = credit + cast(:credit as bigint)
  where day = :day and payer = ''
  and (cast(:amount as bigint) = 0 or reserved + lost + cast(:amount as bigint) <= cast(:most as bigint))
  and (cast(:credit as bigint) = 0 or credit + cast(:credit as bigint) <= cast(:credits as bigint)) returning day`,
)

const INSERT_RESERVE = preparedSql(
  `insert into treasury_reserves (id, day, payer, worst, amount)
  values (:id, :day, :payer, cast(:worst as bigint), cast(:amount as bigint))`,
)

const END_RESERVE = preparedSql<Record<keyof Reserve, Stored>>(
  'delete from treasury_reserves where id = :id returning day, payer, worst, amount',
)

const ADD = preparedSql(
  `insert into treasury (day, payer, earned, spent, gas, sales, reserved, lost, credit, beyond)
  values (:day, :payer, cast(:earned as bigint), cast(:spent as bigint), cast(:gas as bigint), cast(:sales as bigint),
    cast(:reserved as bigint), cast(:lost as bigint), cast(:credit as bigint), cast(:beyond as bigint))
  on conflict (day, payer) do update set earned = treasury.earned + excluded.earned,
    spent = treasury.spent + excluded.spent, gas = treasury.gas + excluded.gas,
    sales = treasury.sales + excluded.sales, reserved = treasury.reserved + excluded.reserved,
    lost = treasury.lost + excluded.lost, credit = treasury.credit + excluded.credit,
    beyond = treasury.beyond + excluded.beyond`,
)

const add = (db: Db, key: { day: string; payer: string }, change: Partial<TreasuryTotals>) =>
  ADD(db, { ...NOTHING, ...change, ...key })

const NOTHING: TreasuryTotals = {
  earned: 0n,
  spent: 0n,
  gas: 0n,
  sales: 0n,
  reserved: 0n,
  lost: 0n,
  credit: 0n,
  beyond: 0n,
}

/** In a transaction. */
export async function reserve(
  db: Db,
  id: string,
  purpose: Purpose,
  worst: bigint,
  fuse: Fuse,
): Promise<Admission> {
  const { day } = fuse
  await LOCK_DAY(db, { day })
  await release(db, id, { spent: 0n, gas: 0n, shares: [] })
  const asked = await askedOf(db, purpose, worst)
  if (asked === 'beyond_account') return asked
  const { amount, credit } = asked
  const held = await HOLD(db, { day, amount, credit, most: fuse.most, credits: fuse.most / CREDIT_SHARE })
  if (held.length === 0) return credit > 0n ? 'credit_spent' : 'spent'
  const payer = 'payer' in purpose ? purpose.payer : ''
  const counted = purpose.kind === 'upkeep' ? 0n : worst
  await INSERT_RESERVE(db, { id, day, payer, worst: counted, amount })
  if (payer !== '') await add(db, { day, payer }, { reserved: worst, credit })
  return 'admitted'
}

const ACCOUNT = preparedSql<{ readonly left: Stored; readonly credit: Stored }>(
  `select cast((select coalesce(sum(earned - spent - reserved), 0) from treasury where payer = :payer)
      + (select coalesce(sum(cast(charged as bigint)), 0) from channels where payer = :payer) as bigint) as "left",
    (select cast(coalesce(sum(credit), 0) as bigint) from treasury where payer = :payer) as credit`,
)

/** What a purpose takes of the fuse, and how much of it on credit. */
async function askedOf(db: Db, purpose: Purpose, worst: bigint) {
  if (purpose.kind === 'sale') return { amount: worst, credit: 0n }
  if (purpose.kind !== 'deposit') return { amount: 0n, credit: 0n }
  const uncovered = await uncoveredOf(db, purpose.payer, worst)
  return uncovered === 'beyond_account' ? uncovered : { amount: uncovered, credit: uncovered }
}

/** What of an act's cost its payer has not brought in. */
async function uncoveredOf(db: Db, payer: string, worst: bigint): Promise<bigint | 'beyond_account'> {
  const [account] = await ACCOUNT(db, { payer })
  const left = BigInt(account?.left ?? 0)
  if (left >= worst) return 0n
  if (BigInt(account?.credit ?? 0) > 0n) return 'beyond_account'
  return left > 0n ? worst - left : worst
}

export async function mayAct(
  db: Db,
  { kind, payer }: ChannelAct,
  worst: bigint,
  { day, most }: Fuse,
): Promise<Admission | 'on_credit'> {
  const uncovered = await uncoveredOf(db, payer, worst)
  if (uncovered === 'beyond_account' || (uncovered > 0n && kind === 'refund')) return 'beyond_account'
  const { reserved, lost, credit } = await sumTreasury(db, day, day)
  if (uncovered === 0n) return 'admitted'
  return reserved + lost + uncovered <= most && credit + uncovered <= most / CREDIT_SHARE
    ? 'on_credit'
    : 'credit_spent'
}

/** In a transaction. Null if nothing is reserved under the id: it was released before. */
export async function release(
  db: Db,
  id: string,
  { spent, gas, shares }: Outlay,
): Promise<Pick<TreasuryTotals, 'lost' | 'beyond'> | null> {
  const [row] = await END_RESERVE(db, { id })
  if (row === undefined) return null
  const [day, payer] = [String(row.day), String(row.payer)]
  const [worst, amount] = [BigInt(row.worst), BigInt(row.amount)]
  const earned = shares.reduce((sum, share) => sum + share.amount, 0n)
  const loss = spent - earned - (worst - amount)
  const lost = loss < 0n ? 0n : loss < amount ? loss : amount
  const beyond = loss > lost ? loss - lost : 0n
  const credit = payer === '' ? 0n : lost - amount
  const sales = BigInt(shares.length)
  await add(db, { day, payer: '' }, { earned, spent, gas, sales, reserved: -amount, lost, credit, beyond })
  if (payer !== '') await add(db, { day, payer }, { spent, gas, reserved: -worst, lost, credit, beyond })
  for (const [name, sums] of byPayer(spent, gas, shares)) await add(db, { day, payer: name }, sums)
  return { lost, beyond }
}

/** Each payer's part, cost in equal shares; in one order, since writers must not wait for each other. */
function byPayer(spent: bigint, gas: bigint, shares: Outlay['shares']) {
  const sums = new Map<string, Pick<TreasuryTotals, 'earned' | 'spent' | 'gas' | 'sales'>>()
  const part = (all: bigint, index: number) => {
    const [count, at] = [BigInt(shares.length), BigInt(index)]
    return (all * (at + 1n)) / count - (all * at) / count
  }
  for (const [index, { payer, amount }] of shares.entries()) {
    const before = sums.get(payer) ?? NOTHING
    sums.set(payer, {
      earned: before.earned + amount,
      spent: before.spent + part(spent, index),
      gas: before.gas + part(gas, index),
      sales: before.sales + 1n,
    })
  }
  return [...sums].toSorted(([a], [b]) => (a < b ? -1 : 1))
}

const COLUMNS = Object.keys(NOTHING) as readonly (keyof TreasuryTotals)[]
const SUM = preparedSql<Record<keyof TreasuryTotals, Stored>>(
  `select ${COLUMNS.map((name) => `cast(coalesce(sum(${name}), 0) as bigint) as ${name}`).join(', ')}
  from treasury where payer = '' and day >= :from and day <= :to`,
)

export async function sumTreasury(db: Db, from: string, to: string): Promise<TreasuryTotals> {
  const [row] = await SUM(db, { from, to })
  const sums = COLUMNS.map((name) => [name, BigInt(row?.[name] ?? 0)])
  return Object.fromEntries(sums) as Record<keyof TreasuryTotals, bigint>
}
