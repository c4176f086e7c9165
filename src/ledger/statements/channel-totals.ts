import { setImmediate as nextTurn } from 'node:timers/promises'
import { type ChannelTotals, NO_CHANNELS } from '../channel-store.ts'
import type { Sql } from '../sql.ts'

/** Channels summed by one statement, in some milliseconds. */
const PAGE = 1_000

type Figure = number | string

/** The sums are null of a page without channels. */
interface Page {
  readonly channels: Figure
  readonly calls: Figure
  readonly deposited: string
  readonly charged: string
  readonly claimed: string
  readonly exposed: string
  readonly lost: string
  readonly open: Figure
  readonly withdrawing: Figure
  readonly urgent: Figure
  readonly ahead: Figure
  readonly oldest: Figure | null
  /** Id of the last channel; null of a page without one. */
  readonly last: string | null
}

const BALANCE = 'cast(balance as bigint)'
const CHARGED = 'cast(charged as bigint)'
const CLAIMED = 'cast(total_claimed as bigint)'
const CLAIMABLE_SUM = `(case when ${CHARGED} < ${BALANCE} then ${CHARGED} else ${BALANCE} end)`

const sum = (expression: string) => `cast(sum(${expression}) as text)`
const excess = (one: string, other: string) =>
  sum(`case when ${one} > ${other} then ${one} - ${other} else 0 end`)
const count = (condition: string) => `sum(case when ${condition} then 1 else 0 end)`

const SUM_PAGE = `select count(*) as channels, sum(calls) as calls, ${sum(BALANCE)} as deposited, ${sum(CHARGED)} as charged,
  ${sum(CLAIMED)} as claimed, ${excess(CLAIMABLE_SUM, CLAIMED)} as exposed,
  ${excess(CHARGED, BALANCE)} as lost,
  ${count('balance <> total_claimed')} as open, ${count('withdraw_requested_at > 0')} as withdrawing,
  ${count(`withdraw_requested_at > 0 and ${CLAIMABLE_SUM} > ${CLAIMED}`)} as urgent,
  ${count(`${CLAIMED} > ${CHARGED}`)} as ahead,
  min(case when balance <> total_claimed then read_at end) as oldest, max(id) as last
  from (
    select id, calls, balance, charged, total_claimed, withdraw_requested_at, read_at from channels
    where id > :after order by id limit :limit) as page`

const DOUBTFUL =
  "select count(*) as count from channel_deposits where state = 'sending' and lease_until <= :now"

/**
 * Sums all channels, a page at a time.
 *
 * Read every few seconds, for claims and metrics. One statement over 200,000 channels would block an embedded store, and
 * with it the process, for hundreds of milliseconds.
 */
export async function sumChannels(db: Sql, now: number): Promise<ChannelTotals> {
  const [doubtful] = await db.rows<{ readonly count: Figure }>(DOUBTFUL, { now })
  const depositsInDoubt = Number(doubtful!.count)
  let totals: ChannelTotals = { ...NO_CHANNELS, depositsInDoubt }
  for (let after = ''; ; ) {
    const page = (await db.rows<Page>(SUM_PAGE, { after, limit: PAGE }))[0]!
    if (page.last === null) return totals
    totals = added(totals, page)
    if (Number(page.channels) < PAGE) return totals
    after = page.last
    await nextTurn()
  }
}

function added(totals: ChannelTotals, page: Page): ChannelTotals {
  const oldest = page.oldest === null ? [] : [Number(page.oldest)]
  const known = totals.oldestReadAt === null ? [] : [totals.oldestReadAt]
  const read = [...known, ...oldest]
  return {
    channels: totals.channels + Number(page.channels),
    calls: totals.calls + Number(page.calls),
    deposited: totals.deposited + BigInt(page.deposited),
    charged: totals.charged + BigInt(page.charged),
    claimed: totals.claimed + BigInt(page.claimed),
    exposed: totals.exposed + BigInt(page.exposed),
    lost: totals.lost + BigInt(page.lost),
    open: totals.open + Number(page.open),
    withdrawing: totals.withdrawing + Number(page.withdrawing),
    urgent: totals.urgent + Number(page.urgent),
    ahead: totals.ahead + Number(page.ahead),
    oldestReadAt: read.length === 0 ? null : Math.min(...read),
    depositsInDoubt: totals.depositsInDoubt,
  }
}
