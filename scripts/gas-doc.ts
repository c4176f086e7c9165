/** What gas leaves of the price: tables of docs/evidence/gas.md and docs/going-live.md, their chart, README's sentence. */
import { AGGREGATOR, DEPLOYMENT } from '../src/payments/chain/settlement-calls.ts'
import { barChart } from './chart.ts'
import { csvTable } from './csv-table.ts'
import { amountOf, whole } from './recorded-figures.ts'

const PRICE = 0.001
/** What Coinbase asks for a settlement after a thousand in a month. */
const HOSTED_FEE = 0.001
const GWEI = [0.001, 0.005, 0.02]
/** Dollars. */
const ETHER = [2_500, 4_200]

interface Market {
  readonly gwei: number
  readonly ether: number
}
const MARKETS = ETHER.flatMap((ether) => GWEI.map((gwei): Market => ({ gwei, ether })))
/** The pages for operators show each price of gas at the higher price of an ether. */
const SHOWN_MARKETS = MARKETS.slice(-GWEI.length)

const settled = (name: string) => amountOf('settlement-gas', name)
const channels = (name: string) => amountOf('channel-gas', name)
const single = settled('1, deployed')
/** The transactions of a channel. */
const CHANNEL = ['deposit of a new channel', 'claim of 1, each channel', 'payout'].map(channels)
const REFUNDED = [...CHANNEL, channels('refund')]

const cells = (row: readonly (string | number)[]) => `| ${row.join(' | ')} |`
const table = (head: readonly string[], rows: readonly (readonly (string | number)[])[]) =>
  [cells(head), `|${'---|'.repeat(head.length)}`, ...rows.map(cells)].join('\n')

const SALES = [1, 2, 4, 8, 16, 32, 64, 128]

export const batchTable = (): string =>
  table(
    ['sales in a transaction', 'gas a sale', 'aggregator sent along'],
    SALES.map((sales) => {
      const along = Math.min(single, settled(`${sales}, sent along`))
      return [sales, whole(settled(`${sales}, deployed`)), whole(along)]
    }),
  )

interface Way {
  readonly name: string
  /** Of a value; undefined with a facilitator that takes a fee in place of gas. */
  readonly gas?: number
  /** Percent of what buyers pay. */
  readonly left: (market: Market) => number
}

const leftOf = (cost: number) => 100 * (1 - cost / PRICE)

/** A facilitator takes its fee for each of the transactions. */
const hosted = (name: string, values: number, sent: readonly number[]): Way => ({
  name: `hosted, ${name}`,
  left: () => leftOf((HOSTED_FEE * sent.length) / values),
})

const own = (name: string, values: number, sent: readonly number[]): Way => {
  const gas = sent.reduce((sum, each) => sum + each, 0) / values
  return { name: `own, ${name}`, gas, left: ({ gwei, ether }) => leftOf(gas * gwei * 1e-9 * ether) }
}

const WAYS = [hosted, own].flatMap((by) => [
  by('single', 1, [single]),
  // A hosted facilitator settles each alone.
  ...(by === own ? [by('64 singles at once', 1, [settled('64, deployed')])] : []),
  by('list of 100', 100, [single]),
  ...[100, 1_000].flatMap((calls) => [
    by(`channel of ${whole(calls)}`, calls, CHANNEL),
    by(`channel of ${whole(calls)}, refund`, calls, REFUNDED),
  ]),
])
/** The pages for operators show no refunds and no batches. */
const SHOWN = WAYS.filter(({ name }) => !/refund|64/.test(name))

const percent = (share: number) => `${Number(share.toFixed(1))} %`
const headOf = ({ gwei, ether }: Market) => `${gwei} gwei, ${whole(ether)}`

export const wayTable = (): string =>
  table(
    ['way', 'gas a value', ...MARKETS.map(headOf)],
    WAYS.map(({ name, gas, left }) => [
      name,
      gas === undefined ? '' : whole(gas),
      ...MARKETS.map((market) => percent(left(market))),
    ]),
  )

export const keptTable = (): string =>
  table(
    ['way', ...SHOWN_MARKETS.map(headOf)],
    SHOWN.map(({ name, left }) => [name, ...SHOWN_MARKETS.map((market) => percent(left(market)))]),
  )

/** Hosted ways cost the same at any price of gas. */
export function keptSentence(): string {
  const [single, list, short, long] = SHOWN.map(({ left }) => percent(left(MARKETS[0] as Market)))
  return `Through Coinbase's facilitator (USD ${HOSTED_FEE} a settlement after 1,000 free ones a month) you keep ${single} of a single call,
${list} of a list of 100, ${short} of a channel of 100 calls and ${long} of one of 1,000, at
[any price of gas](docs/going-live.md#what-you-keep).`
}

export const keptChart = (): string =>
  barChart({
    title: 'Left to the seller of what buyers pay',
    groups: SHOWN_MARKETS.slice(0, 2).map((market) => ({
      label: `gas at ${market.gwei} gwei, an ether at ${whole(market.ether)} dollars`,
      bars: SHOWN.map(({ name, left }) => ({
        name,
        value: Math.max(0, left(market)),
        text: percent(left(market)),
        ours: left(market) > 0,
      })),
    })),
  })

/** The transaction that puts the aggregator on a chain. */
export const deploymentTable = (): string =>
  csvTable(['to', 'data', 'gives'], [[DEPLOYMENT.to, DEPLOYMENT.data, AGGREGATOR]])
