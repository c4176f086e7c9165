/** What own settlement says of itself to the rest of the service. */

export interface TreasuryState {
  readonly dailyLoss: bigint
  /** The limit on losses refused a sale, and still would. */
  readonly isSpent: boolean
  /** The newest settlement of this process cost more than it brought in. */
  readonly isBelowCost: boolean
  /** Median of this process over the last hour; null without a settlement. */
  gasPerSale(): number | null
}

export interface SettlementState extends TreasuryState {
  readonly pending: number
  readonly isTooExpensive: boolean
  readonly batches: ReadonlyMap<number, number>
}

export interface GasLevel {
  /** At the present gas price, data fee included. */
  readonly settlementsLeft: number
  /** Wei that one settlement alone would cost now, without the margins that are reserved. */
  readonly cost: bigint
}

export type GasStatus = 'ok' | 'low' | 'empty'

const LOW = 500

export function gasStatusOf({ settlementsLeft }: Pick<GasLevel, 'settlementsLeft'>): GasStatus {
  if (settlementsLeft < 1) return 'empty'
  return settlementsLeft < LOW ? 'low' : 'ok'
}
