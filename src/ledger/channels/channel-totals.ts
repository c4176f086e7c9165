import { setImmediate as nextTurn } from 'node:timers/promises'

import type { Stored } from '../store/columns.ts'
import type { Sql } from '../store/sql.ts'

/** Amounts in atomic units. */
export interface ChannelTotals {
  readonly channels: number
  readonly calls: number
  readonly deposited: bigint
  readonly charged: bigint
  readonly claimed: bigint
  /** Charged and not claimed, as far as the channel's balance covers it. */
  readonly exposed: bigint
  /** Charged beyond the channel's balance: lost, unless the payer deposits again. */
  readonly lost: bigint
  /** Channels that hold more than was claimed. */
  readonly open: number
  readonly withdrawing: number
  /** Channels with a withdrawal of which something charged can still be claimed. */
  readonly urgent: number
  /** Channels of which more was claimed than this store has charged, as after a restore. */
  readonly ahead: number
  /** Among open channels; UTC milliseconds. */
  readonly oldestReadAt: number | null
  readonly depositsInDoubt: number
}

const PAGE = 1_000

const BALANCE = 'cast(balance as bigint)'
const CHARGED = 'cast(charged as bigint)'
const CLAIMED = 'cast(total_claimed as bigint)'
const CLAIMABLE_SUM = `(case when ${CHARGED} < ${BALANCE} then ${CHARGED} else ${BALANCE} end)`

const sum = (expression: string) => `cast(sum(${expression}) as text)`
const excess = (one: string, other: string) =>
  sum(`case when ${one} > ${other} then ${one} - ${other} else 0 end`)
const count = (condition: string) => `sum(case when ${condition} then 1 else 0 end)`

const COUNTS = {
  channels: 'count(*)',
  calls: 'sum(calls)',
  open: count('balance <> total_claimed'),
  withdrawing: count('withdraw_requested_at > 0'),
  urgent: count(`withdraw_requested_at > 0 and ${CLAIMABLE_SUM} > ${CLAIMED}`),
  ahead: count(`${CLAIMED} > ${CHARGED}`),
}
const AMOUNTS = {
  deposited: sum(BALANCE),
  charged: sum(CHARGED),
  claimed: sum(CLAIMED),
  exposed: excess(CLAIMABLE_SUM, CLAIMED),
  lost: excess(CHARGED, BALANCE),
}
const FIGURES = Object.entries({ ...COUNTS, ...AMOUNTS }).map(([name, figure]) => `${figure} as ${name}`)

const SUM_PAGE = `select ${FIGURES.join(', ')},
  min(case when balance <> total_claimed then read_at end) as oldest, max(id) as last
  from (
    select id, calls, balance, charged, total_claimed, withdraw_requested_at, read_at from channels
    where id > :after order by id limit :limit) as page`

const DOUBTFUL =
  "select count(*) as count from channel_deposits where state = 'sending' and lease_until <= :now"

/**
 * A page at a time: one statement over 200,000 channels would block an embedded store, and the process, for hundreds of
 * milliseconds.
 */
export async function sumChannels(db: Sql, now: number): Promise<ChannelTotals> {
  const [doubtful] = await db.rows<Stored>(DOUBTFUL, { now })
  const pages: Stored[] = []
  for (let after: unknown = ''; ; await nextTurn()) {
    const page = (await db.rows<Stored>(SUM_PAGE, { after, limit: PAGE }))[0]!
    // Over no channels, sums are null.
    if (page.last !== null) pages.push(page)
    if (Number(page.channels) < PAGE) break
    after = page.last
  }
  const oldest = pages.flatMap((page) => page.oldest ?? []).map(Number)
  return {
    ...totalsOf(COUNTS, (name) => pages.reduce((total, page) => total + Number(page[name]), 0)),
    ...totalsOf(AMOUNTS, (name) => pages.reduce((total, page) => total + BigInt(page[name] as string), 0n)),
    oldestReadAt: oldest.length === 0 ? null : Math.min(...oldest),
    depositsInDoubt: Number(doubtful!.count),
  }
}

const totalsOf = <Name extends string, Total>(
  figures: Readonly<Record<Name, string>>,
  total: (name: string) => Total,
) => Object.fromEntries(Object.keys(figures).map((name) => [name, total(name)])) as Record<Name, Total>
