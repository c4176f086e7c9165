/** The operator's account of what settling costs and brings in. All amounts are in millionths of a dollar. */

export type Purpose =
  /** Authorizations of single payments; refused beyond the fuse. */
  | { readonly kind: 'sale' }
  /** Brings money into a channel; refused beyond what its payer has brought in, but for a first one on credit. */
  | { readonly kind: 'deposit'; readonly payer: string }
  /** Was admitted before anything was signed (`mayAct`), so it is booked and not refused. */
  | { readonly kind: 'refund'; readonly payer: string }
  /** Claims, payouts and the like, which bring in what is owed: never refused, booked as `beyond`. */
  | { readonly kind: 'upkeep' }

export interface Fuse {
  /** UTC, YYYY-MM-DD. */
  readonly day: string
  /** What may be reserved and lost on a day. */
  readonly most: bigint
}

/**
 * `spent`: reserved and lost would pass the fuse. `beyond_account`: the act would cost more than the payer has brought in,
 * who had a first one on credit before. `credit_spent`: it would be the first one, and the credit of all payers is spent.
 */
export type Admission = 'admitted' | 'spent' | 'beyond_account' | 'credit_spent'

/** An act that a payer asks for. */
export type ChannelAct = Extract<Purpose, { readonly payer: string }>

export interface Outlay {
  /** Gas and data fee. */
  readonly spent: bigint
  readonly gas: bigint
  /** One for each authorization in it, with what it brought in; a payer may come again. */
  readonly shares: readonly { readonly payer: string; readonly amount: bigint }[]
}

export interface TreasuryTotals {
  readonly earned: bigint
  readonly spent: bigint
  readonly gas: bigint
  /** Authorizations that were settled or tried. */
  readonly sales: bigint
  /** Worst cost of transactions without a receipt. */
  readonly reserved: bigint
  /** What transactions cost beyond what they brought in, or what their payer had. */
  readonly lost: bigint
  /** The part of `reserved` and `lost` that first acts of channels took on credit. */
  readonly credit: bigint
  /** Cost above the reserve: data fees, replacements, and all upkeep. The fuse does not count it. */
  readonly beyond: bigint
}

export interface TreasuryDay extends TreasuryTotals {
  /** UTC, YYYY-MM-DD. */
  readonly day: string
}

export const TREASURY_SUMS = [
  'earned',
  'spent',
  'gas',
  'sales',
  'reserved',
  'lost',
  'credit',
  'beyond',
] as const

export const sumTreasury = (days: readonly TreasuryTotals[]): TreasuryTotals => {
  const sums = TREASURY_SUMS.map((name) => [name, days.reduce((sum, day) => sum + day[name], 0n)])
  return Object.fromEntries(sums) as Record<(typeof TREASURY_SUMS)[number], bigint>
}

export interface TreasuryStore {
  /**
   * Reserves the most that a transaction may cost, durably, before it is signed. Reserved and lost of a day never pass the
   * fuse, over all processes. A second reserve under an id takes the place of the first one.
   */
  reserve(id: string, purpose: Purpose, worst: bigint, fuse: Fuse): Promise<Admission>
  /** Books what a transaction has cost and gives the rest of its reserve back; once for each id. Null: nothing was reserved. */
  release(id: string, outlay: Outlay): Promise<Pick<TreasuryTotals, 'lost' | 'beyond'> | null>
  /** What `reserve` would say of an act of a channel, without reserving. */
  mayAct(act: ChannelAct, worst: bigint, fuse: Fuse): Promise<Admission | 'on_credit'>
  /** Days on which anything was booked, oldest first. */
  treasury(fromDay: string, toDay: string): Promise<readonly TreasuryDay[]>
}
