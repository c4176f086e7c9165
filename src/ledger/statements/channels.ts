/** Statements over channels; what each promises is said by `ChannelStore`. */
import type { Kysely } from 'kysely'
import { fromChannelChange, fromNewChannel, type StoredChannel, toChannelRow } from '../channel-rows.ts'
import { type ChannelChange, type ChannelRow, movedChannel, type NewChannel } from '../channel-store.ts'
import type { Schema } from '../schema.ts'
import { type PreparedSql, preparedSql } from './prepared-sql.ts'

const firstOf = ([row]: readonly StoredChannel[]): ChannelRow | null =>
  row === undefined ? null : toChannelRow(row)

const FIND = preparedSql<StoredChannel>('select * from channels where id = :id')

export const findChannel = async (db: Kysely<Schema>, id: string): Promise<ChannelRow | null> =>
  firstOf(await FIND(db, { id }))

/** Built from the first row: every new row has the same columns. */
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

/** Prepared moves by the columns they set. */
const MOVES = new Map<string, PreparedSql<Pick<StoredChannel, 'revision'>>>()

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
    statement = preparedSql(
      `update channels set ${names.map((name) => `${name} = :${name}`).join(', ')}, revision = revision + 1
      where id = :id and revision = :revision returning revision`,
    )
    MOVES.set(form, statement)
  }
  const [moved] = await statement(db, { ...columns, id: seen.id, revision: seen.revision })
  // The rest is as it was read: only the purge of old bindings and the count of repeats change a row without a new
  // revision.
  return moved === undefined ? null : movedChannel(seen, change)
}

const NOTE_REPEAT = preparedSql<Pick<StoredChannel, 'mismatches'>>(
  `update channels set mismatches = mismatches + :step where id = :id and charged = :charged returning mismatches`,
)

export async function noteVoucherRepeat(
  db: Kysely<Schema>,
  { id, charged }: ChannelRow,
  mismatch: boolean,
): Promise<number> {
  const [row] = await NOTE_REPEAT(db, { id, charged: charged.toString(), step: mismatch ? 1 : 0 })
  return Number(row?.mismatches ?? 0)
}

// What was charged beyond the balance cannot be claimed until the payer deposits again.
const CLAIMABLE = preparedSql<StoredChannel>(
  `select * from channels where charged <> total_claimed and balance <> total_claimed
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

const LIST = preparedSql<StoredChannel>('select * from channels where id > :after order by id limit :limit')

export const selectChannels = async (
  db: Kysely<Schema>,
  limit: number,
  after = '',
): Promise<readonly ChannelRow[]> => (await LIST(db, { limit, after })).map(toChannelRow)
