/** What of the fuse is left, and for whom. */

import { type Sql, tuples } from '../store/sql.ts'
import { countedOf, type Fuse, type Purpose, roomForSales, type TreasuryTotals } from './treasury-row.ts'

/** Credit may use half of what sales may, so that channels alone never stop single payments. */
const CREDIT_SHARE = 2n

/** For sales. */
export const roomLeft = (total: TreasuryTotals, { most }: Fuse): bigint =>
  roomForSales(most) - countedOf(total)

/** One payer may lose one part in so many of what may still be lost that day, and its first settlement in any case. */
const PAYERS_SHARE = 16n

/** Those of the payers whose loss of the day, with one more settlement, is above their share of the room that is left. */
export async function payersOverShare(
  db: Sql,
  day: string,
  payers: readonly string[],
  worst: bigint,
  left: bigint,
): Promise<readonly string[]> {
  if (payers.length === 0) return []
  const { text, values } = tuples([...new Set(payers)].map((payer) => ({ payer })))
  const rows = await db.rows<{ readonly payer: string }>(
    `select payer from treasury where day = :day and (payer) in (${text}) and spent > earned
      and (spent - earned + cast(:each as bigint)) * ${PAYERS_SHARE} > cast(:left as bigint) order by payer`,
    { ...values, day, each: worst / BigInt(payers.length), left },
  )
  return rows.map(({ payer }) => payer)
}

/** Whether what a purpose takes, and how much of that is on credit, has room. */
export function fits(
  { amount, credit }: { readonly amount: bigint; readonly credit: bigint },
  { kind }: Purpose,
  total: TreasuryTotals,
  { most }: Fuse,
): boolean {
  if (amount === 0n) return true
  const forSales = roomForSales(most)
  const room = kind === 'upkeep' || kind === 'refund' ? most : forSales
  return (
    countedOf(total) + amount <= room && (credit === 0n || total.credit + credit <= forSales / CREDIT_SHARE)
  )
}
