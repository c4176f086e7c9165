import { type Sql, tuples } from '../store/sql.ts'
import { accountsOf, creditRatings, fits } from './budget.ts'
import {
  type Admission,
  budgetFor,
  countedOf,
  type DailyLossLimit,
  type Outlay,
  type PayersAct,
  type Purpose,
  sumTreasury,
  TREASURY_SUMS,
  type TreasuryDay,
  type TreasuryTotals,
  treasurySums,
} from './treasury-row.ts'

type Stored = number | string

const each = (write: (name: string) => string) => TREASURY_SUMS.map(write).join(', ')
const NAMES = each((name) => name)
const ADDED = each((name) => `${name} = treasury.${name} + excluded.${name}`)

interface Change extends Partial<TreasuryTotals> {
  readonly payer: string
}

/**
 * The row for all payers together has the payer ''. Every writer locks it first, to the end of the transaction, and
 * then those of payers in one order, so that none deadlock.
 */
async function add(db: Sql, day: string, changes: readonly Change[]): Promise<void> {
  const none = treasurySums(() => 0n)
  const ordered = changes.toSorted((a, b) => (a.payer < b.payer ? -1 : 1))
  const { text, values } = tuples(ordered.map(({ payer, ...sums }) => ({ day, payer, ...none, ...sums })))
  await db.rows(
    `insert into treasury (day, payer, ${NAMES}) values ${text} on conflict (day, payer) do update set ${ADDED}`,
    values,
  )
}

const INSERT_RESERVE = `insert into treasury_reserves (id, day, payer, payers, worst, amount)
  values (:id, :day, :payer, :payers, cast(:worst as bigint), cast(:amount as bigint))`

const END_RESERVE = 'delete from treasury_reserves where id = :id returning day, payer, worst, amount'

/**
 * Before a transaction is signed, replacements included. Over all processes, what is reserved, lost and spent beyond a
 * reserve never exceeds the daily loss limit by a new reserve. A second reserve under an id replaces the first. Needs a
 * transaction.
 */
export async function reserve(
  db: Sql,
  id: string,
  purpose: Purpose,
  worst: bigint,
  lossLimit: DailyLossLimit,
): Promise<Admission> {
  const { day } = lossLimit
  // In the order of `release`, which may run for the same id.
  await release(db, id, { spent: 0n, gas: 0n, shares: [] })
  await add(db, day, [{ payer: '' }])
  const asked = await askedOf(db, purpose, worst)
  if (asked === 'account_exceeded') return asked
  const { amount, credit } = asked
  // The row is locked, so this is what the write below adds to.
  const total = sumTreasury(await treasuryDays(db, day, day))
  const payers = purpose.kind === 'sale' ? purpose.payers : []
  const ratings = await creditRatings(db, payers, worst)
  const overShare = [...ratings]
    .filter(([, each]) => countedOf(total) + worst > budgetFor(each, lossLimit.most))
    .map(([payer]) => payer)
  if (overShare.length === 0 && fits(asked, purpose, total, lossLimit)) {
    const payer = 'payer' in purpose ? purpose.payer : ''
    await db.rows(INSERT_RESERVE, { id, day, payer, payers: payers.join(), worst, amount })
    await add(db, day, [
      { payer: '', reserved: amount, credit },
      ...(payer === '' ? [] : [{ payer, reserved: worst, credit }]),
    ])
    return 'admitted'
  }
  const [only, ...others] = payers
  const covered = only === undefined || others.length > 0 ? null : await cover(db, id, only, worst, day)
  if (covered !== null) return covered
  const areOverdrawn = overShare.every((each) => ratings.get(each) === 'overdrawn')
  if (overShare.length > 0 && (areOverdrawn || overShare.length < ratings.size)) return { overShare }
  return credit > 0n ? 'credit_spent' : 'spent'
}

/** The row for all payers is locked by then, so two sales do not count on the same money. */
async function cover(
  db: Sql,
  id: string,
  payer: string,
  worst: bigint,
  day: string,
): Promise<'covered' | null> {
  const { left } = (await accountsOf(db, [payer]))(payer)
  if (left < worst) return null
  await db.rows(INSERT_RESERVE, { id, day, payer, payers: '', worst, amount: 0n })
  await add(db, day, [{ payer, reserved: worst }])
  return 'covered'
}

const NOTHING = { amount: 0n, credit: 0n }

/** What a purpose takes of the daily budget: for an act, what its payer has not brought in, which is on credit. */
async function askedOf(
  db: Sql,
  purpose: Purpose,
  worst: bigint,
): Promise<typeof NOTHING | 'account_exceeded'> {
  if (!('payer' in purpose)) return { amount: worst, credit: 0n }
  const { left, credit } = (await accountsOf(db, [purpose.payer]))(purpose.payer)
  if (left >= worst) return NOTHING
  const amount = left > 0n ? worst - left : worst
  return purpose.kind === 'deposit' && credit > 0n ? 'account_exceeded' : { amount, credit: amount }
}

export async function mayAct(
  db: Sql,
  act: PayersAct,
  worst: bigint,
  lossLimit: DailyLossLimit,
): Promise<Admission | 'on_credit'> {
  const asked = await askedOf(db, act, worst)
  if (asked === NOTHING) return 'admitted'
  // A refund is begun only if it is covered.
  if (asked === 'account_exceeded' || act.kind === 'refund') return 'account_exceeded'
  return fits(asked, act, sumTreasury(await treasuryDays(db, lossLimit.day, lossLimit.day)), lossLimit)
    ? 'on_credit'
    : 'credit_spent'
}

/** Moves the reserve of a transaction that lost its nonce to its replacement; false if no reserve has that name. */
export async function moveReserve(db: Sql, from: string, to: string): Promise<boolean> {
  const [row] = await db.rows('select id from treasury_reserves where id = :from', { from })
  if (row === undefined) return false
  await release(db, to, { spent: 0n, gas: 0n, shares: [] })
  return (await db.changed('update treasury_reserves set id = :to where id = :from', { from, to })) > 0
}

/**
 * Books what a transaction has cost and frees its reserve, once for each id. Null if nothing was reserved. Needs a
 * transaction.
 */
export async function release(
  db: Sql,
  id: string,
  { spent, gas, shares }: Outlay,
): Promise<Pick<TreasuryTotals, 'lost' | 'overrun'> | null> {
  const [row] = await db.rows<Record<'day' | 'payer' | 'worst' | 'amount', Stored>>(END_RESERVE, { id })
  if (row === undefined) return null
  const payer = String(row.payer)
  const [worst, amount] = [BigInt(row.worst), BigInt(row.amount)]
  const earned = shares.reduce((sum, share) => sum + share.amount, 0n)
  const loss = spent - earned - (worst - amount)
  const lost = loss < 0n ? 0n : loss < amount ? loss : amount
  // More than as much again is a node's lie, which must not end the day's sales, nor those of a payer.
  const above = loss > lost ? loss - lost : 0n
  const overrun = above < worst ? above : worst
  const credit = payer === '' ? 0n : lost - amount
  await add(db, String(row.day), [
    { payer: '', earned, spent, gas, sales: BigInt(shares.length), reserved: -amount, lost, credit, overrun },
    ...ofPayers([
      // What was spent on shares is booked with them.
      ...(payer === ''
        ? []
        : [{ payer, ...(shares.length === 0 && { spent, gas }), reserved: -worst, lost, credit, overrun }]),
      ...byPayer(spent < 2n * worst ? spent : 2n * worst, gas, shares),
    ]),
  ])
  return { lost, overrun }
}

const ofPayers = (changes: readonly Change[]): readonly Change[] =>
  [...Map.groupBy(changes, ({ payer }) => payer)].map(([payer, own]) => ({
    payer,
    ...treasurySums((name) => own.reduce((sum, change) => sum + (change[name] ?? 0n), 0n)),
  }))

/** The cost is divided equally among the shares; a payer who paid owes nothing, however dear the gas was. */
function byPayer(spent: bigint, gas: bigint, shares: Outlay['shares']): readonly Change[] {
  const count = BigInt(shares.length)
  return [...Map.groupBy(shares.entries(), ([, { payer }]) => payer)].map(([payer, own]) => {
    const part = (all: bigint, at: number) => (all * BigInt(at + 1)) / count - (all * BigInt(at)) / count
    const sums = { earned: 0n, spent: 0n, gas: 0n }
    for (const [at, { amount }] of own) {
      const cost = part(spent, at)
      sums.earned += amount
      sums.spent += amount > 0n && amount < cost ? amount : cost
      sums.gas += part(gas, at)
    }
    return { payer, ...sums, sales: BigInt(own.length) }
  })
}

export async function treasuryDays(db: Sql, from: string, to: string): Promise<readonly TreasuryDay[]> {
  const rows = await db.rows<Record<keyof TreasuryTotals, Stored> & { readonly day: string }>(
    `select day, ${NAMES} from treasury where payer = '' and day >= :from and day <= :to order by day`,
    { from, to },
  )
  return rows.map((row) => ({ day: row.day, ...treasurySums((name) => BigInt(row[name])) }))
}
