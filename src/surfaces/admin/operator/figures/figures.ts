import type { ChannelTotals } from '../../../../ledger/channels/channel-totals.ts'
import type { Attention, Backlog, Count } from '../../../../ledger/figures/operator-figures.ts'
import type { Ledger } from '../../../../ledger/ledger.ts'
import type { TreasuryDay } from '../../../../ledger/treasury/treasury-row.ts'
import { DAY_MS, dayOf } from '../../../../values/utc-days.ts'
import type { Settling } from './account.ts'
import type { SalesBook, SalesCell } from './sales-book.ts'
import { LONGEST_RANGE } from './view-range.ts'

/** Answers of the facilitator since this process started. */
export type SettlementCounts = Readonly<Record<'settled' | 'refused' | 'doubtful' | 'not_sent', number>>

export interface ProcessHealth {
  readonly ready: boolean
  readonly chainUp: boolean
  /** UTC milliseconds. */
  readonly startedAt: number
}

/** Everything the operator's page shows, for every range. A figure that could not be read is never shown as zero. */
export interface Figures {
  /** UTC milliseconds. */
  readonly at: number
  readonly health: ProcessHealth
  readonly sales: PromiseSettledResult<readonly SalesCell[]>
  readonly counts: PromiseSettledResult<readonly Count[]>
  readonly backlog: PromiseSettledResult<Backlog>
  readonly attention: PromiseSettledResult<Attention>
  /** Null while payment channels are off and there never was one. */
  readonly channels: PromiseSettledResult<ChannelTotals> | null
  readonly settlements: SettlementCounts
  readonly settling: Settling
  readonly treasury: PromiseSettledResult<readonly TreasuryDay[]>
}

export interface FiguresDeps {
  readonly ledger: Pick<Ledger, 'counts' | 'backlog' | 'attention' | 'channelTotals' | 'treasury'>
  readonly channelsOn: boolean
  readonly sales: SalesBook
  readonly settlements: () => SettlementCounts
  readonly settling: () => Settling
  readonly ready: () => Promise<boolean>
  readonly chainUp: () => boolean
  readonly startedAt: number
  /** UTC milliseconds. */
  readonly now: () => number
}

export const ATTENTION_LIMIT = 50
/** A buyer can fetch a paid answer for an hour; after that only the operator can help. */
const REPLAY_WINDOW_MS = 3_600_000
/** How far back undelivered sales are looked for. */
const UNDELIVERED_DAYS = 7

/** Reads all figures; one that fails leaves the others. Never rejects. */
export async function readFigures(deps: FiguresDeps): Promise<Figures> {
  const { ledger } = deps
  const at = deps.now()
  const from = dayOf(at - (LONGEST_RANGE - 1) * DAY_MS)
  const [sales, counts, backlog, attention, channels, treasury, ready] = await Promise.allSettled([
    deps.sales.upTo(at),
    ledger.counts(from, dayOf(at)),
    ledger.backlog(),
    ledger.attention({
      now: at,
      undeliveredSince: at - UNDELIVERED_DAYS * DAY_MS,
      undeliveredBefore: at - REPLAY_WINDOW_MS,
      limit: ATTENTION_LIMIT,
    }),
    ledger.channelTotals(at),
    ledger.treasury(from, dayOf(at)),
    deps.ready(),
  ])
  return {
    at,
    health: {
      ready: ready.status === 'fulfilled' && ready.value,
      chainUp: deps.chainUp(),
      startedAt: deps.startedAt,
    },
    sales,
    counts,
    backlog,
    attention,
    channels: deps.channelsOn || hasAny(channels) ? channels : null,
    settlements: deps.settlements(),
    settling: deps.settling(),
    treasury,
  }
}

const hasAny = (channels: PromiseSettledResult<ChannelTotals>): boolean =>
  channels.status === 'fulfilled' && channels.value.channels + channels.value.depositsInDoubt > 0
