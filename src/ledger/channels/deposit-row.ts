import { type Columns, integer, reader, same, units, writer } from '../store/columns.ts'

/**
 * `sending`: it may have been sent; after the lease the chain must be read. A deposit that was not sent, or expired
 * unused, has no row.
 */
export type DepositState = 'sending' | 'landed'

export interface DepositRow {
  readonly payer: string
  readonly nonce: string
  readonly channel: string
  readonly amount: bigint
  /** The sum signed in the voucher that came with the deposit. */
  readonly voucher: bigint
  /** UTC seconds. */
  readonly validBefore: number
  readonly state: DepositState
  readonly owner: string | null
  readonly leaseUntil: number
  readonly transaction: string | null
  readonly claimedAt: number
}

export type DepositChange = Partial<Pick<DepositRow, 'state' | 'owner' | 'leaseUntil' | 'transaction'>>

const DEPOSIT: Columns<DepositRow> = {
  payer: same('payer'),
  nonce: same('nonce'),
  channel: same('channel'),
  amount: units('amount'),
  voucher: units('voucher'),
  validBefore: integer('valid_before'),
  state: same('state'),
  owner: same('owner'),
  leaseUntil: integer('lease_until'),
  transaction: same('tx'),
  claimedAt: integer('claimed_at'),
}

export const toDepositRow = reader(DEPOSIT)
export const fromDeposit = writer(DEPOSIT)
