/** The tables of docs/evidence/scale.md: the parts of a sale simulated with the service times of bench/figures.json. */
import { readFileSync } from 'node:fs'
import type { Row } from '../bench/report/row.ts'
import {
  DATABASE_CORES,
  GAS,
  type Part,
  type Plan,
  type ServiceTimes,
  simulate,
} from '../bench/scale/simulate.ts'
import { between } from './skill-tables.ts'

const ROOT = new URL('../', import.meta.url)
const RATES = [10, 100, 1_000, 10_000]
/** What is planned for: the rest is for peaks, and for one of the parts that fails. */
const SHARE = 0.7
const ONE: Plan = { processes: 1, databases: 1, paysBy: 'payment' }

export function scaleDoc(): string {
  const { rows }: { readonly rows: readonly Row[] } = JSON.parse(
    readFileSync(new URL('bench/figures.json', ROOT), 'utf8'),
  )
  const times = serviceTimes(rows)
  const page = readFileSync(new URL('docs/evidence/scale.md', ROOT), 'utf8')
  return between(between(page, 'times', timesTable(times)), 'rates', ratesTable(times))
}

function serviceTimes(rows: readonly Row[]): ServiceTimes {
  const figure = (id: string, name: string) => {
    const found = rows.find((row) => row.id === id)?.figures.find((each) => each.name === name)
    if (found === undefined) throw new Error(`bench/figures.json has no ${name} in ${id}`)
    return found
  }
  const sale = figure('database', 'our process').cpu!
  const [call, payment] = ['ours', 'ours, single payments'].map((name) => figure('channels-busy', name).cpu!)
  return {
    sale,
    // Of one run, since the rows are not measured in the same hour.
    channelCall: sale * (call! / payment!),
    database: figure('database', 'PostgreSQL, all its processes').cpu!,
    flush: Number.parseFloat(figure('database', 'a flush').other!),
  }
}

/** As many of each as are used to the planned share. */
const grown = (rate: number, { channelCall, database }: ServiceTimes): Plan => ({
  processes: Math.ceil((rate * channelCall) / 1e6 / SHARE),
  databases: Math.ceil((rate * database) / 1e6 / DATABASE_CORES / SHARE),
  paysBy: 'channel',
})

const rateOf = (microseconds: number, cores = 1) =>
  (Math.floor((SHARE * cores * 1e6) / microseconds / 10) * 10).toLocaleString('en')

const timesTable = ({ sale, channelCall, database, flush }: ServiceTimes): string =>
  [
    '| step | time | used to 70 % at |',
    '|---|---|---|',
    `| one process, single payments on PostgreSQL | ${Math.round(sale).toLocaleString('en')} µs of a core | ${rateOf(sale)} a second |`,
    `| one process, calls over channels | ${Math.round(channelCall).toLocaleString('en')} µs of a core | ${rateOf(channelCall)} a second |`,
    `| one PostgreSQL with ${DATABASE_CORES} cores | ${Math.round(database).toLocaleString('en')} µs of a core | ${rateOf(database, DATABASE_CORES)} a second |`,
    `| a flush of its log, shared by all that wait | ${flush} ms | – |`,
  ].join('\n')

function ratesTable(times: ServiceTimes): string {
  const plans = RATES.flatMap((rate) => {
    const fits = simulate(rate, ONE, times).every(({ load }) => load < SHARE)
    return [ONE, ...(fits ? [] : [grown(rate, times)])].map((plan) => ({ rate, plan }))
  })
  const rows = plans.map(({ rate, plan }) => {
    const parts = simulate(rate, plan, times)
    const first = parts.toSorted((a, b) => b.load - a.load).find(({ name }) => name !== 'flushes')!
    const { processes, databases, paysBy } = plan
    const cores = (rate * ((paysBy === 'channel' ? times.channelCall : times.sale) + times.database)) / 1e6
    return [
      rate.toLocaleString('en'),
      `${processes} + ${databases}, ${paysBy === 'channel' ? 'channels' : 'payments'}`,
      ...NAMES.map((name) => cell(parts.find((part) => part.name === name))),
      `${first.name}${first.load >= 1 ? ', falls behind' : ''}`,
      `${GAS[paysBy].toLocaleString('en')} gas`,
      cores < 0.1 ? cores.toFixed(2) : cores.toFixed(1),
    ]
  })
  const head = ['a second', 'processes + databases, paid by', ...NAMES, 'fullest', 'a sale', 'cores']
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

const NAMES = ['processes', 'database', 'flushes', 'facilitator', 'chain'] as const

/** Load, and the time that one sale in a hundred exceeds. */
function cell(part: Part | undefined): string {
  if (part === undefined) return '–'
  const load = `${percent(part.load)}`
  return part.p99 === null
    ? load
    : `${load}, ${part.p99 < 10 ? part.p99.toFixed(1) : Math.round(part.p99)} ms`
}

const percent = (share: number) => `${share < 0.1 ? (share * 100).toFixed(1) : Math.round(share * 100)} %`
