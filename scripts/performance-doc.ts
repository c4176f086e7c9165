/** docs/evidence/performance.md, docs/evidence/profiles.md and their charts, from what `npm run bench -- --write` has recorded. */
import { readFileSync } from 'node:fs'
import { type Claim, type Figures, isMet, type Row } from '../bench/report/row.ts'
import { type Bar, barChart } from './chart.ts'
import {
  laterPaymentDrawing,
  layersDrawing,
  paidCallDrawing,
  statesDrawing,
  waysToPayDrawing,
} from './diagrams.ts'
import { between } from './skill-tables.ts'

interface Recorded {
  readonly machine: string
  /** Day of the last run. */
  readonly at: string
  readonly rows: readonly Row[]
}

const ROOT = new URL('../', import.meta.url)
const OURS = 'Format Checker'
/** Names short enough for a chart. */
const SHORT: Readonly<Record<string, string>> = {
  ours: OURS,
  'stock x402 on Express': 'stock x402',
  'stock + durable claim': 'stock, durable claim',
  'signature, one flush, one facilitator call': 'the limit',
  'validator isIdentityCard': 'validator (identity)',
  'validator isTaxID': 'validator (tax id)',
  'ibantools isValidIBAN': 'ibantools',
}
const short = (name: string) => SHORT[name] ?? name
const whole = (value: number) => Math.round(value).toLocaleString('en')

const read = (path: string) => readFileSync(new URL(path, ROOT), 'utf8')
const table = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n')

export function performanceDocs(): readonly (readonly [string, string])[] {
  const recorded: Recorded = JSON.parse(read('bench/figures.json'))
  const row = (id: string): Row => {
    const found = recorded.rows.find((each) => each.id === id)
    if (found === undefined) throw new Error(`bench/figures.json has no row ${id}`)
    return found
  }
  return [
    ['docs/charts/paid-calls.svg', paidCalls(row('paid-fast'))],
    ['docs/charts/latency.svg', latency(row('paid-slow'))],
    ['docs/charts/settling.svg', settling(row('self-settled'))],
    ['docs/charts/checks.svg', checks(recorded.rows)],
    ['docs/charts/ways-to-pay.svg', waysToPayDrawing(row('channel-gas'))],
    ['docs/charts/states.svg', statesDrawing()],
    ['docs/charts/layers.svg', layersDrawing()],
    ['docs/charts/paid-call.svg', paidCallDrawing()],
    ['docs/charts/later-payment.svg', laterPaymentDrawing()],
    [
      'docs/evidence/performance.md',
      between(read('docs/evidence/performance.md'), 'figures', figures(recorded)),
    ],
    [
      'docs/evidence/profiles.md',
      between(
        between(read('docs/evidence/profiles.md'), 'targets', targets(recorded.rows)),
        'others',
        otherFigures(recorded.rows),
      ),
    ],
  ]
}

const paidCalls = ({ figures }: Row) =>
  barChart({
    title: 'Paid calls a second, 32 at a time',
    groups: [{ bars: bars(figures, ({ rate = 0 }) => [rate, `${whole(rate)}/s`]) }],
  })

const latency = ({ figures }: Row) =>
  barChart({
    title: 'Latency, facilitator of 200 ms (median)',
    groups: [{ bars: bars(figures, ({ p50 = 0 }) => [p50, `${whole(p50)} ms`]) }],
  })

/** Our share is a claim of the row; those of stock stand beside their rates. */
function settling({ figures, claims }: Row): string {
  const answered = claims.find(({ what }) => what === 'share answered')?.value ?? Number.NaN
  const percent = (share: number) => ({ value: share, text: `${Math.round(share * 100)} %` })
  const stock = figures.flatMap(({ name, other }) => {
    const [, share] = /^(\d+) % answered/.exec(other ?? '') ?? []
    return share === undefined ? [] : [{ name, ...percent(Number(share) / 100) }]
  })
  return barChart({
    title: 'Paid calls answered when settling ourselves',
    groups: [{ bars: [{ name: `${OURS}, 32`, ...percent(answered), ours: true }, ...stock] }],
  })
}

/** One lane for each check; a library that is measured twice keeps its verdict alone. */
function checks(rows: readonly Row[]): string {
  const types = [...new Set(rows.flatMap(({ id }) => /^check-(.+)-\w+$/.exec(id)?.[1] ?? []))]
  return barChart({
    title: 'Nanoseconds for one check (tenfold scale)',
    log: true,
    groups: types.map((type) => {
      const figures = rows.filter(({ id }) => id.startsWith(`check-${type}-`)).flatMap((row) => row.figures)
      const first = figures.filter(({ name }, at) => figures.findIndex((one) => one.name === name) === at)
      return {
        label: type,
        bars: bars(first, ({ other = '' }) => [Number.parseFloat(other), other]).toSorted(
          (one, two) => one.value - two.value,
        ),
      }
    }),
  })
}

const bars = (
  figures: readonly Figures[],
  show: (one: Figures) => readonly [number, string],
): readonly Bar[] =>
  figures.map((one) => {
    const [value, text] = show(one)
    return { name: short(one.name), value, text, ours: one.name === 'ours' }
  })

/** One number in each cell; documents and grown ledgers are with the other figures. */
function figures({ machine, at, rows }: Recorded): string {
  const timed = rows
    .filter((row) => !isElsewhere(row))
    .flatMap(({ work, figures }) =>
      figures
        .filter(({ rate }) => rate !== undefined)
        .map(({ name, rate = 0, p50, p99, cpu }) => [
          work,
          name,
          whole(rate),
          ...[p50, p99].map((ms) => ms?.toFixed(2) ?? ''),
          cpu === undefined ? '' : whole(cpu),
        ]),
    )
  return `Measured on ${machine}, ${at}.

${table(['work', 'who', 'a second', 'p50, ms', 'p99, ms', 'processor, µs'], timed)}`
}

const isElsewhere = ({ id }: Row) => id.startsWith('document') || id.startsWith('ledger')

/** What is no rate (checks, gas, memory, the start), and rates that no buyer looks for. */
function otherFigures(rows: readonly Row[]): string {
  const others = rows.flatMap((row) =>
    row.figures.flatMap(({ name, rate, other }) => {
      if (rate !== undefined) return isElsewhere(row) ? [[row.work, name, `${whole(rate)}/s`]] : []
      return other === undefined ? [] : other.split(', ').map((one) => [row.work, name, one])
    }),
  )
  return table(['work', 'who', 'figure'], others)
}

/** Every goal that is missed, once. */
function targets(rows: readonly Row[]): string {
  const withGoal = rows.flatMap(({ work, claims }) =>
    claims.filter(({ target }) => target !== undefined).map((claim) => ({ work, claim })),
  )
  const line = ({ work, claim }: { work: string; claim: Claim }) => [
    work,
    claim.what,
    String(Number(claim.value.toFixed(2))),
    `${claim.side ?? 'at least'} ${Number(claim.target?.toFixed(2))}`,
  ]
  const missed = withGoal.filter(({ claim }) => !isMet(claim))
  return `${missed.length} of ${withGoal.length} goals are missed.

${table(['work', 'what', 'measured', 'goal'], missed.map(line))}`
}
