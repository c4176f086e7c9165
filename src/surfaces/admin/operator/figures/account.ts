/** What settling brings in and costs, in millionths of a dollar: from the books of own settlements, or from a facilitator's fee. */
import { sumTreasury, type TreasuryDay } from '../../../../ledger/treasury-store.ts'
import type { SettlementState } from '../../../../payments/facilitators/self/settlement-queue.ts'
import type { SalesCell } from './sales-book.ts'
import { sumSales } from './sum-sales.ts'

/** Who settles; own settlements have a state. */
export interface Settling {
  readonly state: SettlementState | null
  /** Settlements that the account can still pay for; null if not known. */
  readonly left: number | null
  /** What another facilitator asks for one settlement: FACILITATOR_FEE_USD. */
  readonly fee: bigint
}

export interface AccountDay {
  /** UTC, YYYY-MM-DD. */
  readonly day: string
  readonly earned: bigint
  readonly spent: bigint
}

/** One settlement for each sale; calls over channels have none of their own. */
export const accountByFee = (cells: readonly SalesCell[], fee: bigint): readonly AccountDay[] =>
  [...Map.groupBy(cells, ({ day }) => day)].map(([day, sold]) => {
    const { revenue, sales } = sumSales(sold)
    return { day, earned: revenue, spent: fee * BigInt(sales) }
  })

/** The days, today included, whose sales a runway is computed from. */
export const RUNWAY_DAYS = 7

/** For how many days so many settlements last at the sales of `RUNWAY_DAYS`; null without sales. */
export function runwayOf(week: readonly TreasuryDay[], left: number | null): number | null {
  const { sales } = sumTreasury(week)
  return left === null || sales === 0n ? null : (left * RUNWAY_DAYS) / Number(sales)
}
