/** The part of docs/evidence/peer-differences.md about the differential runs: every class of difference and what decides it. */
import { CHECK_TYPES, type CheckType } from '../../src/checks/verdict.ts'
import type { Runs } from './differential-run.ts'
import type { FoundClass, Run } from './runs.ts'
import { shown } from './shown.ts'

/** One matrix for each type: classes of difference down, libraries across. */
export function runsPart(runs: Runs): string {
  const parts = CHECK_TYPES.flatMap((type) => (runs[type] === undefined ? [] : [partOf(type, runs[type])]))
  return `## Made-up values

Valid values, the same as people write them, with one slip, with two, and noise. Each cell counts the values that this library
judges otherwise for this reason.

${parts.join('\n')}`
}

function partOf(type: CheckType, { compared, seed, peers, classes }: Run): string {
  return `### ${type}: classes of difference

${compared.toLocaleString('en')} values, seed ${seed}.

| these libraries | ${peers.join(' | ')} | example | what decides |
|---|${peers.map(() => '---|').join('')}---|---|
${[...classes]
  .sort(byFrequency)
  .map((found) => row(found, peers))
  .join('\n')}
`
}

const total = ({ peers }: FoundClass) => Object.values(peers).reduce((sum, count) => sum + count, 0)
const byFrequency = (one: FoundClass, other: FoundClass) => total(other) - total(one)

function row({ what, decides, example, peers }: FoundClass, names: readonly string[]): string {
  const cells = names.map((name) => peers[name]?.toLocaleString('en') ?? '')
  return `| ${what} | ${cells.join(' | ')} | ${shown(example)} | ${decides} |`
}
