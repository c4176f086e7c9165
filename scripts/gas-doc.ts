/** What gas leaves of the price: the tables of docs/evidence/gas.md and docs/going-live.md, and their chart. */
import { AGGREGATOR, DEPLOYMENT } from '../src/payments/chain/settlement-calls.ts'
import { barChart } from './chart.ts'
import { csvTable } from './csv-table.ts'
import { amountOf, whole } from './recorded-figures.ts'

const PRICE = 0.001
/** Price of gas in gwei, price of an ether in dollars. */
const MARKETS = [
  [0.001, 5_000],
  [0.003, 5_000],
  [0.005, 2_500],
  [0.005, 5_000],
] as const
type Market = (typeof MARKETS)[number]
/** Those of the page for operators. */
const [CHEAP, , , DEAR] = MARKETS

const settled = (name: string) => amountOf('settlement-gas', name)
const single = settled('1, deployed')
const channel = ['deposit of a new channel', 'claim of 1, each channel', 'payout']
  .map((name) => amountOf('channel-gas', name))
  .reduce((sum, gas) => sum + gas, 0)

/** Percent of the price. */
const left = (gas: number, [gwei, ether]: Market) => Math.round(100 - (gas * gwei * ether) / PRICE / 1e7)

const cells = (row: readonly (string | number)[]) => `| ${row.join(' | ')} |`
const table = (head: readonly string[], rows: readonly (readonly (string | number)[])[]) =>
  [cells(head), `|${'---|'.repeat(head.length)}`, ...rows.map(cells)].join('\n')

const SALES = [1, 2, 4, 8, 16, 32, 64, 128]

export const batchTable = (): string =>
  table(
    [
      'sales in a transaction',
      'gas a sale',
      'aggregator sent along',
      ...MARKETS.map(([gwei, ether]) => `${gwei} gwei, ether ${whole(ether)}`),
    ],
    SALES.map((sales) => {
      const gas = settled(`${sales}, deployed`)
      const along = Math.min(single, settled(`${sales}, sent along`))
      return [sales, whole(gas), whole(along), ...MARKETS.map((market) => left(gas, market))]
    }),
  )

interface Way {
  readonly name: string
  /** Of a value; undefined with a facilitator that takes a fee in place of gas. */
  readonly gas?: number
  readonly hosted?: number
}

const SINGLE: Way = { name: 'own, single', gas: single }
const WAYS: readonly Way[] = [
  { name: 'hosted, single', hosted: 0 },
  { name: 'hosted, lists of 100', hosted: 99 },
  { name: 'own, lists of 10', gas: single / 10 },
  { name: 'own, lists of 100', gas: single / 100 },
  { name: 'own, channels of 10 calls', gas: channel / 10 },
  { name: 'own, channels of 100 calls', gas: channel / 100 },
]

const share = ({ gas, hosted = 0 }: Way, market: Market) => (gas === undefined ? hosted : left(gas, market))
const headOf = ([gwei, ether]: Market) => `${gwei} gwei, ${whole(ether)}`

export const wayTable = (): string =>
  table(
    ['way', 'gas a value', ...MARKETS.map(headOf)],
    WAYS.map((way) => [
      way.name,
      way.gas === undefined ? '' : whole(way.gas),
      ...MARKETS.map((market) => `${share(way, market)} %`),
    ]),
  )

const SHOWN = [...WAYS.slice(0, 2), SINGLE, ...WAYS.filter(({ name }) => /^own.*100/.test(name))]

export const keptTable = (): string =>
  table(
    ['way', headOf(CHEAP), headOf(DEAR)],
    SHOWN.map((way) => [way.name, `${share(way, CHEAP)} %`, `${share(way, DEAR)} %`]),
  )

export const keptChart = (): string =>
  barChart({
    title: 'Left to the seller of what buyers pay',
    groups: [CHEAP, DEAR].map((market) => ({
      label: `gas at ${market[0]} gwei, an ether at ${whole(market[1])} dollars`,
      bars: SHOWN.map((way) => {
        const percent = share(way, market)
        return {
          name: way.name.replace(/channels (.*) calls$/, 'channel $1'),
          value: Math.max(0, percent),
          text: `${percent} %`,
          ours: percent > 0,
        }
      }),
    })),
  })

/** The transaction that puts the aggregator on a chain. */
export const deploymentTable = (): string =>
  csvTable(['to', 'data', 'gives'], [[DEPLOYMENT.to, DEPLOYMENT.data, AGGREGATOR]])
