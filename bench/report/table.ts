/** The results as text: on the terminal while they come in, and recorded for the documentation. */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { machineLine } from './machine.ts'
import { type Claim, type Figures, isMet, type Row } from './row.ts'

const RECORD = new URL('../figures.json', import.meta.url)

export function printRow(row: Row): void {
  console.log(`\n${row.id}: ${row.work}`)
  for (const figures of row.figures) console.log(`  ${figures.name.padEnd(28)} ${figureText(figures)}`)
  for (const claim of row.claims) console.log(`  -> ${claim.what}: ${claimText(claim)}`)
  for (const note of row.notes ?? []) console.log(`  ${note}`)
  console.log(`  ${verdictOf(row)}`)
}

/** How many of its goals a row has met, and what is to be known of the machine. */
function verdictOf({ claims, taken = 0 }: Row): string {
  const goals = claims.filter(({ target }) => target !== undefined)
  const met = goals.filter(isMet).length
  const result =
    goals.length === 0
      ? 'no goal'
      : met === goals.length
        ? 'every goal met'
        : `${met} of ${goals.length} goals met`
  return `${result}; others took ${Math.round(taken * 100)} % of the machine`
}

/** Rows measured beside others say more of those. */
const MOST_TAKEN = 0.05

export const isQuiet = ({ taken = 0 }: Row): boolean => taken <= MOST_TAKEN

/** Puts the rows of this run that had the machine for themselves in place of those of the same id; `node scripts/update-docs.ts` draws the page from them. */
export function recordFigures(rows: readonly Row[]): void {
  const before: readonly Row[] = JSON.parse(readFileSync(RECORD, 'utf8')).rows
  const at = new Date().toISOString().slice(0, 10)
  const revision = execFileSync('git', ['rev-parse', '--short=8', 'HEAD'], { encoding: 'utf8' }).trim()
  const measuredOn = { at, revision, machine: machineLine() }
  const quiet = rows.filter(isQuiet).map((row) => ({ ...row, ...measuredOn }))
  const measured = new Map(quiet.map((row) => [row.id, row]))
  const kept = before.map((row) => measured.get(row.id) ?? row)
  const added = quiet.filter(({ id }) => !before.some((row) => row.id === id))
  writeFileSync(RECORD, `${JSON.stringify({ rows: [...kept, ...added] }, null, 1)}\n`)
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
