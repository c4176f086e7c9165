/** What each statement promises is documented at `ChannelStore`. */
import type { DepositChange, DepositRow } from '../channel-store.ts'
import { fromDeposit, type Stored, toDepositRow } from '../rows.ts'
import type { Sql } from '../sql.ts'

const one = async (rows: Promise<readonly Stored[]>): Promise<DepositRow | null> => {
  const [row] = await rows
  return row === undefined ? null : toDepositRow(row)
}
const every = async (rows: Promise<readonly Stored[]>): Promise<readonly DepositRow[]> =>
  (await rows).map(toDepositRow)

export const findDeposit = (db: Sql, payer: string, nonce: string) =>
  one(db.rows('select * from channel_deposits where payer = :payer and nonce = :nonce', { payer, nonce }))

const INSERT = `insert into channel_deposits
    (payer, nonce, channel, amount, voucher, valid_before, state, owner, lease_until, tx, claimed_at)
  values (:payer, :nonce, :channel, :amount, :voucher, :valid_before, :state, :owner, :lease_until, :tx, :claimed_at)
  on conflict (payer, nonce) do nothing returning *`

export const claimDeposit = (db: Sql, deposit: DepositRow) => one(db.rows(INSERT, fromDeposit(deposit)))

const MOVE = `update channel_deposits set state = :state, owner = :owner, lease_until = :lease_until, tx = :tx
  where payer = :payer and nonce = :nonce and state = :seenState and lease_until = :seenLease
  and coalesce(owner, '') = :seenOwner returning *`

export function moveDeposit(db: Sql, seen: DepositRow, change: DepositChange) {
  const guards = { seenState: seen.state, seenLease: seen.leaseUntil, seenOwner: seen.owner ?? '' }
  return one(db.rows(MOVE, { ...fromDeposit({ ...seen, ...change }), ...guards }))
}

const WITH_VOUCHER =
  'select * from channel_deposits where channel = :channel and voucher = :voucher order by claimed_at'

export const selectDepositsWith = (db: Sql, channel: string, voucher: bigint) =>
  every(db.rows(WITH_VOUCHER, { channel, voucher: voucher.toString() }))

const UNRESOLVED = `select * from channel_deposits where state = 'sending' and lease_until <= :now
  order by claimed_at limit :limit`

export const selectUnresolvedDeposits = (db: Sql, now: number, limit: number) =>
  every(db.rows(UNRESOLVED, { now, limit }))
