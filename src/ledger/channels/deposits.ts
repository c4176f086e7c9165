import type { Stored } from '../store/columns.ts'
import type { Sql } from '../store/sql.ts'
import type { DepositChange, DepositRow } from './deposit-row.ts'
import { fromDeposit, toDepositRow } from './deposit-row.ts'

const every = async (rows: Promise<readonly Stored[]>): Promise<readonly DepositRow[]> =>
  (await rows).map(toDepositRow)
const one = async (rows: Promise<readonly Stored[]>) => (await every(rows))[0] ?? null

const FIND = `select * from channel_deposits where payer = :payer and nonce = :nonce`

export const findDeposit = (db: Sql, payer: string, nonce: string) => one(db.rows(FIND, { payer, nonce }))

const INSERT = `insert into channel_deposits
    (payer, nonce, channel, amount, voucher, valid_before, state, owner, lease_until, tx, claimed_at)
  values (:payer, :nonce, :channel, :amount, :voucher, :valid_before, :state, :owner, :lease_until, :tx, :claimed_at)
  on conflict (payer, nonce) do nothing returning *`

/** Null if payer and nonce are known. */
export const claimDeposit = (db: Sql, deposit: DepositRow) => one(db.rows(INSERT, fromDeposit(deposit)))

const AS_SEEN = `where payer = :payer and nonce = :nonce and state = :seenState and lease_until = :seenLease
  and coalesce(owner, '') = :seenOwner returning *`
const MOVE =
  'update channel_deposits set state = :state, owner = :owner, lease_until = :lease_until, tx = :tx'

/** Compare-and-set on state, owner and lease; `null` deletes the deposit. */
export function moveDeposit(db: Sql, seen: DepositRow, change: DepositChange | null) {
  const guards = { seenState: seen.state, seenLease: seen.leaseUntil, seenOwner: seen.owner ?? '' }
  const statement = `${change === null ? 'delete from channel_deposits' : MOVE} ${AS_SEEN}`
  return one(db.rows(statement, { ...fromDeposit({ ...seen, ...change }), ...guards }))
}

const WITH_VOUCHER = `select * from channel_deposits where channel = :channel and voucher = :voucher
  order by claimed_at`

export const selectDepositsWith = (db: Sql, channel: string, voucher: bigint) =>
  every(db.rows(WITH_VOUCHER, { channel, voucher: voucher.toString() }))

const UNRESOLVED = `select * from channel_deposits where state = 'sending' and lease_until <= :now
  order by claimed_at limit :limit`

export const selectUnresolvedDeposits = (db: Sql, now: number, limit: number) =>
  every(db.rows(UNRESOLVED, { now, limit }))
