/** The operator's account of what settling costs and brings in. All amounts are in millionths of a dollar. */

export type Purpose =
  /**
   * Settles single payments of these payers. Past the daily loss limit only one that is alone, if its payer's account covers
   * it.
   */
  | { readonly kind: 'sale'; readonly payers: readonly string[] }
  /** Brings money into a channel. A payer's first one may be on credit; later ones must be covered by what it brought in. */
  | { readonly kind: 'deposit'; readonly payer: string }
  /** Pays money of a channel back. `mayAct` admitted it; the daily budget pays what the account no longer covers. */
  | { readonly kind: 'refund'; readonly payer: string }
  /** Claims, payouts and nonce cancellations. Only they may use the last part of the daily budget. */
  | { readonly kind: 'upkeep' }

/** The operator's limit on losses: what may be reserved, lost and spent beyond a reserve on one day. */
export interface DailyLossLimit {
  /** UTC, YYYY-MM-DD. */
  readonly day: string
  readonly most: bigint
}

export const countedOf = ({ reserved, lost, overrun }: TreasuryTotals): bigint => reserved + lost + overrun

/** The last quarter is for what collects what is owed or frees a nonce. */
export const salesBudget = (most: bigint): bigint => most - most / 4n

/**
 * What payers have brought in, less what they cost and have under way. `overdrawn`: less than nothing. `balanced`: nothing,
 * or no more than that. `in_credit`: they have paid before.
 */
export type CreditRating = 'overdrawn' | 'balanced' | 'in_credit'

/** In quarters of what sales may use. The addresses that filled one part cannot take the next. */
const PARTS: Readonly<Record<CreditRating, bigint>> = { overdrawn: 1n, balanced: 3n, in_credit: 4n }

/** What may count before the sale of a payer must wait. */
export const budgetFor = (rating: CreditRating, most: bigint): bigint =>
  (salesBudget(most) * PARTS[rating]) / 4n

/**
 * `covered`: the daily budget is spent, and the payer of a sale has brought in what it costs. `spent`: reserved and lost
 * would exceed it. `account_exceeded`: the payer had credit before, and the act may cost more than it has brought in.
 * `credit_spent`: the credit for all payers is used up.
 */
export type Admission =
  | 'admitted'
  | 'covered'
  | 'spent'
  | 'account_exceeded'
  | 'credit_spent'
  /** These payers have no budget left: they owe, or others are in the transaction. */
  | { readonly overShare: readonly string[] }

export type PayersAct = Extract<Purpose, { readonly payer: string }>

export interface Outlay {
  readonly spent: bigint
  readonly gas: bigint
  /** What each authorization in the transaction brought in; a payer may have several. */
  readonly shares: readonly { readonly payer: string; readonly amount: bigint }[]
}

export interface TreasuryTotals {
  readonly earned: bigint
  readonly spent: bigint
  readonly gas: bigint
  /** Authorizations that were settled or tried. */
  readonly sales: bigint
  readonly reserved: bigint
  /** What transactions cost beyond what they brought in, or what their payer had brought in before. */
  readonly lost: bigint
  /** The part of `reserved` and `lost` that was on credit. */
  readonly credit: bigint
  /** Cost above the reserve: data fees that rose after signing. Nothing is admitted on top of it. */
  readonly overrun: bigint
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
  'overrun',
] as const

type TreasurySums = Record<(typeof TREASURY_SUMS)[number], bigint>

export const treasurySums = (sumOf: (name: keyof TreasurySums) => bigint): TreasurySums =>
  Object.fromEntries(TREASURY_SUMS.map((name) => [name, sumOf(name)])) as TreasurySums

export const sumTreasury = (days: readonly TreasuryTotals[]): TreasuryTotals =>
  treasurySums((name) => days.reduce((sum, day) => sum + day[name], 0n))
