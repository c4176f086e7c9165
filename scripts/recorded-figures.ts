/** What `npm run bench -- --write` has recorded, and the figures of prose, which pages name in place of typing them. */
import { globSync, readFileSync } from 'node:fs'
import type { Row } from '../bench/report/row.ts'

const ROOT = new URL('../', import.meta.url)

export const RECORDED: { readonly rows: readonly Row[] } = JSON.parse(
  readFileSync(new URL('bench/figures.json', ROOT), 'utf8'),
)

export function rowOf(id: string): Row {
  const found = RECORDED.rows.find((each) => each.id === id)
  if (found === undefined) throw new Error(`bench/figures.json has no row ${id}`)
  return found
}

/** The number that begins a figure without a rate, such as gas or megabytes. */
export function amountOf(id: string, name: string): number {
  const amount = Number.parseFloat(rowOf(id).figures.find((each) => each.name === name)?.other ?? '')
  if (Number.isNaN(amount)) throw new Error(`bench/figures.json has no amount of ${name} in ${id}`)
  return amount
}

export const whole = (value: number): string => Math.round(value).toLocaleString('en')

const claim = (id: string, what: string): string =>
  (rowOf(id).claims.find((each) => each.what === what)?.value ?? Number.NaN).toFixed(1)

const thousands = (value: number): string => whole(1_000 * Math.round(value / 1_000))
const settled = (name: string) => amountOf('settlement-gas', name)
const channel = (name: string) => amountOf('channel-gas', name)
const checkTimes = RECORDED.rows
  .filter(({ id }) => id.startsWith('check-'))
  .map(({ id }) => amountOf(id, 'ours') / 1_000)

/** By the name in a page: `<!--=gas-->69,264<!--/-->`. */
export const FIGURES: Readonly<Record<string, string>> = {
  gas: whole(settled('1, deployed')),
  gasFirst: whole(settled('first of a payee')),
  gasBatch: whole(settled('64, deployed')),
  gasAlong: thousands(4 * (settled('4, sent along') - settled('4, deployed'))),
  gasDeploy: thousands(settled('deployment of the aggregator')),
  gasDeposit: whole(channel('deposit of a new channel')),
  gasTopup: whole(channel('later deposit')),
  gasClaim: whole(channel('claim of 1, each channel')),
  gasClaims: whole(channel('claim of 10, each channel')),
  gasPayout: whole(channel('payout')),
  gasCall: whole(channel('a call, claims of 10')),
  gasAlone: whole(channel('a call, claims of 1')),
  gasRefund: whole(channel('refund')),
  gasChannel: thousands(
    channel('deposit of a new channel') + channel('claim of 1, each channel') + channel('payout'),
  ),
  // An ether in dollars at which 64 sales in a transaction earn nothing at Base's least fee.
  dearestEther: whole(0.001 / settled('64, deployed') / 0.005e-9),
  // Sales alone that leave the USD 1.02 of a stop, at 0.005 gwei and an ether of 2,500.
  stopSales: whole(100 * Math.round(1.02 / (0.001 - settled('1, deployed') * 0.005e-9 * 2_500) / 100)),
  gasShare: `1/${whole(settled('1, deployed') / channel('a call, claims of 10'))}`,
  sales: whole(rowOf('paid-fast').figures[0]?.rate ?? Number.NaN),
  durable: claim('paid-fast', 'requests/s against stock + durable claim'),
  disk: claim('paid-disk', 'requests/s against stock + durable claim'),
  memory: whole(amountOf('memory', 'image, after 100000')),
  memoryStart: whole(amountOf('memory', 'npm start, after 100000')),
  check: `${Math.min(...checkTimes).toFixed(1)} to ${Math.max(...checkTimes).toFixed(1)}`,
}

const MARKED = /<!--=(\w+)-->[^<]*<!--\/-->/g

/** Writes the figures between their marks again. */
export const withFigures = (page: string): string =>
  page.replace(MARKED, (_, name: string) => {
    const text = FIGURES[name]
    if (text === undefined) throw new Error(`no figure is called ${name}`)
    return `<!--=${name}-->${text}<!--/-->`
  })

/** Pages that have marks. */
export const pagesWithFigures = (): readonly (readonly [path: string, text: string])[] =>
  globSync(['*.md', 'docs/**/*.md'], { cwd: ROOT })
    .toSorted()
    .map((path) => [path, readFileSync(new URL(path, ROOT), 'utf8')] as const)
    .filter(([, text]) => text.search(MARKED) >= 0)
