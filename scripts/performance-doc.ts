/** docs/evidence/performance.md, docs/evidence/profiles.md and their charts, from what `npm run bench -- --write` has recorded. */
import { readFileSync } from 'node:fs'
import { type Figures, isMet, type Row } from '../bench/report/row.ts'
import { type Bar, barChart } from './chart.ts'
import { csvTable } from './csv-table.ts'
import {
  laterPaymentDrawing,
  layersDrawing,
  lifeDrawing,
  paidCallDrawing,
  waysToPayDrawing,
} from './diagrams.ts'
import { RECORDED, rowOf, whole } from './recorded-figures.ts'
import { between } from './skill-tables.ts'

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

const read = (path: string) => readFileSync(new URL(path, ROOT), 'utf8')

const within = (page: string, name: string, text: string): [string, string][] => {
  const path = `docs/evidence/${page}.md`
  return [[path, between(read(path), name, text)]]
}

export function performanceDocs(): readonly (readonly [string, string])[] {
  const { rows } = RECORDED
  const machines = [...new Set(rows.map(({ machine }) => machine))]
  return [
    ['docs/charts/paid-calls.svg', paidCalls(rowOf('paid-fast'))],
    ['docs/charts/latency.svg', latency(rowOf('paid-slow'))],
    ['docs/charts/settling.svg', settling(rowOf('self-settled'))],
    ['docs/charts/checks.svg', checks(rows)],
    ['docs/charts/ways-to-pay.svg', waysToPayDrawing()],
    ['docs/charts/life.svg', lifeDrawing()],
    ['docs/charts/layers.svg', layersDrawing()],
    ['docs/charts/paid-call.svg', paidCallDrawing()],
    ['docs/charts/later-payment.svg', laterPaymentDrawing()],
    ['docs/evidence/performance.csv', figures(rows)],
    ...within(
      'performance',
      'figures',
      `Measured on ${machines.join(', and ')}: [each figure](performance.csv), with day, revision and machine.`,
    ),
    ['docs/evidence/missed-goals.csv', missedGoals(rows)],
    ...within(
      'profiles',
      'targets',
      `${goals(rows, false).length} of ${goals(rows).length} [goals are missed](missed-goals.csv).`,
    ),
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
function figures(rows: readonly Row[]): string {
  const timed = rows
    .filter((row) => !isElsewhere(row))
    .flatMap(({ work, figures, at = '', revision = '', machine = '' }) =>
      figures
        .filter(({ rate }) => rate !== undefined)
        .map(({ name, rate = 0, p50, p99, cpu }) => [
          work,
          name,
          whole(rate),
          ...[p50, p99].map((ms) => ms?.toFixed(2) ?? ''),
          cpu === undefined ? '' : whole(cpu),
          at,
          revision,
          machine,
        ]),
    )
  return csvTable(
    ['work', 'who', 'a second', 'p50, ms', 'p99, ms', 'processor, µs', 'day', 'revision', 'machine'],
    timed,
  )
}

const isElsewhere = ({ id }: Row) => id.startsWith('document') || id.startsWith('ledger')

/** Each claim that has a goal, once. */
const goals = (rows: readonly Row[], met?: false) =>
  rows.flatMap(({ work, claims }) =>
    claims
      .filter((claim) => claim.target !== undefined && (met === undefined || !isMet(claim)))
      .map((claim) => ({ work, claim })),
  )

const missedGoals = (rows: readonly Row[]): string =>
  csvTable(
    ['work', 'what', 'measured', 'goal'],
    goals(rows, false).map(({ work, claim }) => [
      work,
      claim.what,
      String(Number(claim.value.toFixed(2))),
      `${claim.side ?? 'at least'} ${Number(claim.target?.toFixed(2))}`,
    ]),
  )
