/** What is left of the daily budget for losses, and for whom. */

import { type Sql, tuples } from '../store/sql.ts'
import {
  type CreditRating,
  countedOf,
  type DailyLossLimit,
  type Purpose,
  salesBudget,
  type TreasuryTotals,
} from './treasury-row.ts'

/** Credit may use half of what sales may, so that channels alone never stop single payments. */
const CREDIT_SHARE = 2n

/** Whether the budget holds what a purpose takes, and how much of that is on credit; for sales see `creditRatings`. */
export function fits(
  { amount, credit }: { readonly amount: bigint; readonly credit: bigint },
  { kind }: Purpose,
  total: TreasuryTotals,
  { most }: DailyLossLimit,
): boolean {
  if (amount === 0n) return true
  const forSales = salesBudget(most)
  const budget = kind === 'upkeep' || kind === 'refund' ? most : forSales
  return (
    countedOf(total) + amount <= budget && (credit === 0n || total.credit + credit <= forSales / CREDIT_SHARE)
  )
}

type Stored = number | string

interface Account {
  readonly earned: bigint
  /** Of that, less what it cost and what is reserved for it. */
  readonly left: bigint
  readonly credit: bigint
}

const NO_ACCOUNT: Account = { earned: 0n, left: 0n, credit: 0n }

const ACCOUNTS = `select payer, cast(sum(earned) as bigint) as earned, cast(sum(earned - spent - reserved) as bigint) as "left",
    cast(sum(credit) as bigint) as credit
  from (select payer, earned, spent, reserved, credit from treasury
    union all select payer, cast(charged as bigint), 0, 0, 0 from channels) as accounts where (payer) in (`

export async function accountsOf(db: Sql, payers: readonly string[]): Promise<(payer: string) => Account> {
  const { text, values } = tuples([...new Set(payers)].map((payer) => ({ payer })))
  const rows = await db.rows<Record<'payer' | keyof Account, Stored>>(
    `${ACCOUNTS}${text}) group by payer`,
    values,
  )
  const accounts = new Map(
    rows.map(({ payer, earned, left, credit }) => [
      String(payer),
      { earned: BigInt(earned), left: BigInt(left), credit: BigInt(credit) },
    ]),
  )
  return (payer) => accounts.get(payer) ?? NO_ACCOUNT
}

/** Beyond one settlement each, what payers have under way, in this and other transactions, counts as if it failed. */
export async function creditRatings(
  db: Sql,
  payers: readonly string[],
  worst: bigint,
): Promise<ReadonlyMap<string, CreditRating>> {
  if (payers.length === 0) return new Map()
  const accountOf = await accountsOf(db, payers)
  const open = await db.rows<Record<'payers' | 'worst', Stored>>(
    "select payers, worst from treasury_reserves where payers <> ''",
  )
  const underWay = new Map<string, bigint>()
  const note = (payer: string, each: bigint) => underWay.set(payer, (underWay.get(payer) ?? 0n) + each)
  for (const reserve of open) {
    const names = String(reserve.payers).split(',')
    for (const payer of names) note(payer, BigInt(reserve.worst) / BigInt(names.length))
  }
  const each = worst / BigInt(payers.length)
  for (const payer of payers) note(payer, each)
  return new Map(
    payers.map((payer) => {
      const { left, earned } = accountOf(payer)
      if (left + each - (underWay.get(payer) ?? 0n) < 0n) return [payer, 'overdrawn']
      return [payer, earned > 0n ? 'in_credit' : 'balanced']
    }),
  )
}
