import type { Stored } from '../store/columns.ts'
import type { Sql, Values } from '../store/sql.ts'
import {
  type ChannelChange,
  type ChannelRow,
  fromChannel,
  movedChannel,
  type NewChannel,
  toChannelRow,
} from './channel-row.ts'

const channelsOf = async (db: Sql, text: string, values: Values): Promise<readonly ChannelRow[]> =>
  (await db.rows<Stored>(text, values)).map(toChannelRow)

export const findChannel = async (db: Sql, id: string): Promise<ChannelRow | null> =>
  (await channelsOf(db, 'select * from channels where id = :id', { id }))[0] ?? null

/** Null if the id is known. */
export async function openChannel(db: Sql, channel: NewChannel): Promise<ChannelRow | null> {
  const values = fromChannel({ ...channel, refunding: 0n, calls: 1, revision: 0 })
  const columns = Object.keys(values)
  const opened = await channelsOf(
    db,
    `insert into channels (${columns.join(', ')}) values (${columns.map((column) => `:${column}`).join(', ')})
    on conflict (id) do nothing returning *`,
    values,
  )
  return opened[0] ?? null
}

/** Compare-and-set on the revision; null if another process was faster. */
export async function moveChannel(
  db: Sql,
  seen: ChannelRow,
  change: ChannelChange,
): Promise<ChannelRow | null> {
  const values = fromChannel(change)
  const moved = await db.rows(
    `update channels set ${Object.keys(values)
      .map((name) => `${name} = :${name}, `)
      .join('')}revision = revision + 1
    where id = :id and revision = :revision returning id`,
    { ...values, id: seen.id, revision: seen.revision },
  )
  // Only the purge of old bindings and the count of repeats change a row without a new revision.
  return moved.length === 0 ? null : movedChannel(seen, change)
}

const NOTE_REPEAT = `update channels set mismatches = mismatches + :step
  where id = :id and charged = :charged returning mismatches`

/** Counts a repeat of the newest voucher with another call (`mismatch`); otherwise as `noteRepeat`. */
export async function noteVoucherRepeat(
  db: Sql,
  { id, charged }: ChannelRow,
  mismatch: boolean,
): Promise<number> {
  const values = { id, charged: charged.toString(), step: mismatch ? 1 : 0 }
  const [row] = await db.rows<Stored>(NOTE_REPEAT, values)
  return Number(row?.mismatches ?? 0)
}

// What was charged beyond the balance cannot be claimed until the payer deposits again.
const CLAIMABLE = `select * from channels where charged <> total_claimed and balance <> total_claimed
  and cast(charged as bigint) > cast(total_claimed as bigint)
  order by cast(charged as bigint) - cast(total_claimed as bigint) desc, id limit :limit`
const FUNDED =
  'select * from channels where id > :after and balance <> total_claimed order by id limit :limit'
const LIST = 'select * from channels where id > :after order by id limit :limit'

export const selectClaimable = (db: Sql, limit: number) => channelsOf(db, CLAIMABLE, { limit })

export const selectFunded = (db: Sql, limit: number, after = '') => channelsOf(db, FUNDED, { limit, after })

export const selectChannels = (db: Sql, limit: number, after = '') => channelsOf(db, LIST, { limit, after })
