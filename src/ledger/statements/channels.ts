import type { Kysely } from 'kysely'
import { fromChannelChange, fromNewChannel, type StoredChannel, toChannelRow } from '../channel-rows.ts'
import type { ChannelChange, ChannelRow, ChannelTotals, NewChannel } from '../channel-store.ts'
import type { Schema } from '../schema.ts'
import { type PreparedSql, preparedSql } from './prepared-sql.ts'

const firstOf = ([row]: readonly StoredChannel[]): ChannelRow | null =>
  row === undefined ? null : toChannelRow(row)

const FIND = preparedSql<StoredChannel>('select * from channels where id = :id')

export const findChannel = async (db: Kysely<Schema>, id: string): Promise<ChannelRow | null> =>
  firstOf(await FIND(db, { id }))

/** Made from the first row it inserts: every new row has the same columns. */
let insert: PreparedSql<StoredChannel> | undefined

export async function openChannel(db: Kysely<Schema>, channel: NewChannel): Promise<ChannelRow | null> {
  const stored = fromNewChannel(channel)
  const columns = Object.keys(stored)
  insert ??= preparedSql<StoredChannel>(
    `insert into channels (${columns.join(', ')}) values (${columns.map((column) => `:${column}`).join(', ')})
    on conflict (id) do nothing returning *`,
  )
  return firstOf(await insert(db, { ...stored }))
}

/** The statements of moves by their columns: a call, a look at the chain, a refund. */
const MOVES = new Map<string, PreparedSql<StoredChannel>>()

export async function moveChannel(
  db: Kysely<Schema>,
  seen: ChannelRow,
  change: ChannelChange,
): Promise<ChannelRow | null> {
  const columns = fromChannelChange(change)
  const names = Object.keys(columns)
  const form = names.join(' ')
  let statement = MOVES.get(form)
  if (statement === undefined) {
    statement = preparedSql<StoredChannel>(
      `update channels set ${names.map((name) => `${name} = :${name}`).join(', ')}, revision = revision + 1
      where id = :id and revision = :revision returning *`,
    )
    MOVES.set(form, statement)
  }
  return firstOf(await statement(db, { ...columns, id: seen.id, revision: seen.revision }))
}

const CLAIMABLE = preparedSql<StoredChannel>(
  `select * from channels where charged <> total_claimed
  and cast(charged as bigint) > cast(total_claimed as bigint)
  order by cast(charged as bigint) - cast(total_claimed as bigint) desc, id limit :limit`,
)

export const selectClaimable = async (db: Kysely<Schema>, limit: number): Promise<readonly ChannelRow[]> =>
  (await CLAIMABLE(db, { limit })).map(toChannelRow)

const FUNDED = preparedSql<StoredChannel>(
  `select * from channels where id > :after and balance <> total_claimed order by id limit :limit`,
)

export const selectFunded = async (
  db: Kysely<Schema>,
  limit: number,
  after = '',
): Promise<readonly ChannelRow[]> => (await FUNDED(db, { limit, after })).map(toChannelRow)

interface Totals {
  readonly channels: number | string
  readonly calls: number | string | null
  readonly deposited: string | null
  readonly charged: string | null
  readonly claimed: string | null
  readonly exposed: string | null
  readonly withdrawing: number | string | null
  readonly doubtful: number | string
}

const sum = (expression: string) => `cast(sum(${expression}) as text)`

const TOTALS = preparedSql<Totals>(
  `select count(*) as channels, sum(calls) as calls, ${sum('cast(balance as bigint)')} as deposited,
  ${sum('cast(charged as bigint)')} as charged, ${sum('cast(total_claimed as bigint)')} as claimed,
  ${sum(`case when cast(charged as bigint) > cast(total_claimed as bigint)
    then cast(charged as bigint) - cast(total_claimed as bigint) else 0 end`)} as exposed,
  sum(case when withdraw_requested_at > 0 then 1 else 0 end) as withdrawing,
  (select count(*) from channel_deposits where state = 'sending' and lease_until <= :now) as doubtful
  from channels`,
)

export async function sumChannels(db: Kysely<Schema>, now: number): Promise<ChannelTotals> {
  const [row] = await TOTALS(db, { now })
  return {
    channels: Number(row?.channels ?? 0),
    calls: Number(row?.calls ?? 0),
    deposited: BigInt(row?.deposited ?? 0),
    charged: BigInt(row?.charged ?? 0),
    claimed: BigInt(row?.claimed ?? 0),
    exposed: BigInt(row?.exposed ?? 0),
    withdrawing: Number(row?.withdrawing ?? 0),
    depositsInDoubt: Number(row?.doubtful ?? 0),
  }
}
