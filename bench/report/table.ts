/** The results as text: on the terminal while they come in, and as a table in the documentation. */
import { readFileSync, writeFileSync } from 'node:fs'
import { machineLine } from './machine.ts'
import { type Claim, type Figures, isMet, type Row } from './row.ts'

const PAGE = new URL('../../docs/performance.md', import.meta.url)
const BEGIN = '<!-- bench:begin -->'
const END = '<!-- bench:end -->'

export function printRow(row: Row): void {
  console.log(`\n${row.id}: ${row.work}`)
  for (const figures of row.figures) console.log(`  ${figures.name.padEnd(28)} ${figureText(figures)}`)
  for (const claim of row.claims) console.log(`  -> ${claim.what}: ${claimText(claim)}`)
  for (const note of row.notes ?? []) console.log(`  ${note}`)
}

/** Puts the table between its two markers; everything else on the page stays. */
export function writeTable(rows: readonly Row[]): void {
  const page = readFileSync(PAGE, 'utf8')
  const [before, rest] = page.split(BEGIN)
  const after = rest?.split(END)[1]
  if (before === undefined || after === undefined) throw new Error('docs/performance.md has lost its markers')
  const table = `${BEGIN}\nMeasured on ${machineLine()}.\n\n${tableOf(rows)}\n${END}`
  writeFileSync(PAGE, before + table + after)
}

function tableOf(rows: readonly Row[]): string {
  const head = '| work | measured | ratios (target) |\n| --- | --- | --- |'
  const lines = rows.map(({ work, figures, claims, notes = [] }) => {
    const measured = figures.map((one) => `${one.name}: ${figureText(one)}`)
    const ratios = claims.map((claim) => `${claim.what} **${claimText(claim)}**`)
    return `| ${work} | ${measured.join('<br>')} | ${[...ratios, ...notes].join('<br>')} |`
  })
  return [head, ...lines].join('\n')
}

function figureText({ rate, p50, p99, cpu, other }: Figures): string {
  return [
    rate === undefined ? undefined : `${Math.round(rate)}/s`,
    p50 === undefined ? undefined : `p50 ${p50.toFixed(2)} ms`,
    p99 === undefined ? undefined : `p99 ${p99.toFixed(2)} ms`,
    cpu === undefined ? undefined : `${cpu.toFixed(1)} µs CPU`,
    other,
  ]
    .filter((text) => text !== undefined)
    .join(', ')
}

function claimText(claim: Claim): string {
  const { value, target, side = 'at least' } = claim
  const measured = value.toFixed(2)
  if (target === undefined) return measured
  return `${measured} (${side} ${Number(target.toFixed(2))}${isMet(claim) ? '' : ', missed'})`
}
