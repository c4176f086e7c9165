/** Statements over deposits into channels; what each promises is said by `ChannelStore`. */
import type { Kysely, Selectable } from 'kysely'
import type { DepositChange, DepositRow, DepositState } from '../channel-store.ts'
import type { DepositTable, Schema } from '../schema.ts'
import { preparedSql } from './prepared-sql.ts'

type Stored = Selectable<DepositTable>

const toRow = (stored: Stored): DepositRow => ({
  payer: stored.payer,
  nonce: stored.nonce,
  channel: stored.channel,
  amount: BigInt(stored.amount),
  voucher: BigInt(stored.voucher),
  validBefore: Number(stored.valid_before),
  state: stored.state as DepositState,
  owner: stored.owner,
  leaseUntil: Number(stored.lease_until),
  transaction: stored.tx,
  claimedAt: Number(stored.claimed_at),
})

const firstOf = ([row]: readonly Stored[]): DepositRow | null => (row === undefined ? null : toRow(row))

const FIND = preparedSql<Stored>('select * from channel_deposits where payer = :payer and nonce = :nonce')

export const findDeposit = async (
  db: Kysely<Schema>,
  payer: string,
  nonce: string,
): Promise<DepositRow | null> => firstOf(await FIND(db, { payer, nonce }))

const INSERT = preparedSql<Stored>(
  `insert into channel_deposits (payer, nonce, channel, amount, voucher, valid_before, state, owner, lease_until, tx,
  claimed_at) values (:payer, :nonce, :channel, :amount, :voucher, :validBefore, :state, :owner, :leaseUntil,
  :transaction, :claimedAt) on conflict (payer, nonce) do nothing returning *`,
)

export const claimDeposit = async (db: Kysely<Schema>, deposit: DepositRow): Promise<DepositRow | null> =>
  firstOf(
    await INSERT(db, { ...deposit, amount: deposit.amount.toString(), voucher: deposit.voucher.toString() }),
  )

const MOVE = preparedSql<Stored>(
  `update channel_deposits set state = :state, owner = :owner, lease_until = :leaseUntil, tx = :transaction
  where payer = :payer and nonce = :nonce and state = :seenState and lease_until = :seenLease
  and coalesce(owner, '') = :seenOwner returning *`,
)

export async function moveDeposit(
  db: Kysely<Schema>,
  seen: DepositRow,
  change: DepositChange,
): Promise<DepositRow | null> {
  const { payer, nonce, state, owner, leaseUntil, transaction } = { ...seen, ...change }
  const guards = { seenState: seen.state, seenLease: seen.leaseUntil, seenOwner: seen.owner ?? '' }
  return firstOf(await MOVE(db, { payer, nonce, state, owner, leaseUntil, transaction, ...guards }))
}

const WITH_VOUCHER = preparedSql<Stored>(
  'select * from channel_deposits where channel = :channel and voucher = :voucher order by claimed_at',
)

export const selectDepositsWith = async (
  db: Kysely<Schema>,
  channel: string,
  voucher: bigint,
): Promise<readonly DepositRow[]> =>
  (await WITH_VOUCHER(db, { channel, voucher: voucher.toString() })).map(toRow)

const UNRESOLVED = preparedSql<Stored>(
  `select * from channel_deposits where state = 'sending' and lease_until <= :now order by claimed_at limit :limit`,
)

export const selectUnresolvedDeposits = async (
  db: Kysely<Schema>,
  now: number,
  limit: number,
): Promise<readonly DepositRow[]> => (await UNRESOLVED(db, { now, limit })).map(toRow)
