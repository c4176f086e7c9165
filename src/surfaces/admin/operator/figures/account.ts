/** Income and cost of settlements, in millionths of a dollar: as booked by own settlements, or from a facilitator's fee. */

import { sumTreasury, type TreasuryDay } from '../../../../ledger/treasury/treasury-row.ts'
import type { SettlementState } from '../../../../payments/ports/own-settlement.ts'
import type { SalesCell } from './sales-book.ts'
import { sumSales } from './sum-sales.ts'

export interface Settling {
  /** Null if another facilitator settles. */
  readonly state: SettlementState | null
  /** How many settlements the account can still pay for; null if not known. */
  readonly left: number | null
  /** What the other facilitator asks for one settlement (FACILITATOR_FEE_USD). */
  readonly fee: bigint
}

export interface AccountDay {
  /** UTC, YYYY-MM-DD. */
  readonly day: string
  readonly earned: bigint
  readonly spent: bigint
}

/** Counts one settlement for each sale. */
export const accountByFee = (cells: readonly SalesCell[], fee: bigint): readonly AccountDay[] =>
  [...Map.groupBy(cells, ({ day }) => day)].map(([day, sold]) => {
    const { revenue, sales } = sumSales(sold)
    return { day, earned: revenue, spent: fee * BigInt(sales) }
  })

export const RUNWAY_DAYS = 7

/** For how many days `left` settlements last at the rate of the last {@link RUNWAY_DAYS}; null without sales. */
export function runwayOf(week: readonly TreasuryDay[], left: number | null): number | null {
  const { sales } = sumTreasury(week)
  return left === null || sales === 0n ? null : (left * RUNWAY_DAYS) / Number(sales)
}
