import { type Html, html } from '../../../http/body/html.ts'
import type { ChannelRow, ChannelStore } from '../../../ledger/channel-store.ts'
import { claimableOf } from '../../../payments/channels/channel-balance.ts'
import { operatorDocument } from './document.ts'
import type { Reading } from './figures/figures.ts'
import { ageOf, plain } from './numbers.ts'
import { code, ifRead, table } from './tables.ts'
import { formatUsd } from './usd.ts'

export const CHANNELS_PATH = '/channels'

/** Rows of one page. */
export const CHANNELS_ON_PAGE = 50
const ID = /^0x[0-9a-f]{64}$/

/** One page of single channels, in order of their ids. */
export interface ChannelPage {
  /** UTC milliseconds. */
  readonly at: number
  readonly rows: Reading<readonly ChannelRow[]>
  /** The id after which the next page begins; null on the last one. */
  readonly next: string | null
  readonly isFirst: boolean
}

/** Reads the page that a query asks for; a place that is out of form is the beginning. Never rejects. */
export async function readChannelPage(
  { listChannels }: Pick<ChannelStore, 'listChannels'>,
  query: URLSearchParams,
  at: number,
): Promise<ChannelPage> {
  const asked = query.get('after') ?? ''
  const after = ID.test(asked) ? asked : undefined
  const page = { at, isFirst: after === undefined }
  try {
    const found = await listChannels(CHANNELS_ON_PAGE + 1, after)
    const rows = found.slice(0, CHANNELS_ON_PAGE)
    const next = found.length > rows.length ? (rows.at(-1)?.id ?? null) : null
    return { ...page, rows: { kind: 'read', value: rows }, next }
  } catch {
    return { ...page, rows: { kind: 'failed' }, next: null }
  }
}

/** The page as a document; it has nothing of a value that was checked. */
export const channelPage = ({ at, rows, next, isFirst }: ChannelPage, sandbox: boolean): string =>
  operatorDocument({
    sandbox,
    nav: html`<a href="/">Overview</a> <a href="${CHANNELS_PATH}">First channels</a>${
      next !== null && html` <a href="${CHANNELS_PATH}?after=${next}">Next ${CHANNELS_ON_PAGE}</a>`
    }`,
    main: html`<section><h2>Payment channels</h2>${ifRead(rows, (found) =>
      found.length === 0
        ? html`<p>${isFirst ? 'There is no payment channel.' : 'There are no more payment channels.'}</p>`
        : channelTable(found, at),
    )}</section>`,
  })

const COLUMNS = [
  'Channel',
  'Payer',
  'In the channel',
  'Charged',
  'Claimed',
  'To claim',
  'Calls',
  'Withdrawal',
  'Last call',
] as const

const channelTable = (rows: readonly ChannelRow[], at: number): Html => html`<div class="rows">
<p>Sums since each channel was opened, in order of their ids. What is in a channel was deposited, and neither withdrawn nor paid back.</p>
${table(
  'Payment channels',
  COLUMNS,
  rows.map((row) => [
    code(row.id),
    code(row.config.payer),
    formatUsd(row.balance),
    formatUsd(row.charged),
    formatUsd(row.totalClaimed),
    formatUsd(exposedOf(row)),
    plain(row.calls),
    row.withdrawRequestedAt === 0 ? 'none' : `begun ${ageOf(at - row.withdrawRequestedAt * 1_000)} ago`,
    `${ageOf(at - row.lastCall.chargedAt)} ago`,
  ]),
)}</div>`

/** What can be claimed and is not yet. */
function exposedOf(row: ChannelRow): bigint {
  const claimable = claimableOf(row)
  return claimable > row.totalClaimed ? claimable - row.totalClaimed : 0n
}
