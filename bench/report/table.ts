/** The results as text: on the terminal while they come in, and recorded for the documentation. */
import { readFileSync, writeFileSync } from 'node:fs'
import { machineLine } from './machine.ts'
import { type Claim, type Figures, isMet, type Row } from './row.ts'

const RECORD = new URL('../figures.json', import.meta.url)

export function printRow(row: Row): void {
  console.log(`\n${row.id}: ${row.work}`)
  for (const figures of row.figures) console.log(`  ${figures.name.padEnd(28)} ${figureText(figures)}`)
  for (const claim of row.claims) console.log(`  -> ${claim.what}: ${claimText(claim)}`)
  for (const note of row.notes ?? []) console.log(`  ${note}`)
}

/** Puts the rows of this run in place of those of the same id; `node scripts/update-docs.ts` draws the page from them. */
export function recordFigures(rows: readonly Row[]): void {
  const before: readonly Row[] = JSON.parse(readFileSync(RECORD, 'utf8')).rows
  const measured = new Map(rows.map((row) => [row.id, row]))
  const kept = before.map((row) => measured.get(row.id) ?? row)
  const added = rows.filter(({ id }) => !before.some((row) => row.id === id))
  const record = {
    machine: machineLine(),
    at: new Date().toISOString().slice(0, 10),
    rows: [...kept, ...added],
  }
  writeFileSync(RECORD, `${JSON.stringify(record, null, 1)}\n`)
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
