/** The part of docs/peer-differences.md about the differential runs: every class of difference and what decides it. */
import { CHECK_TYPES, type CheckType } from '../../src/checks/verdict.ts'
import type { Runs } from './differential-run.ts'
import type { FoundClass, Run } from './runs.ts'
import { shown } from './shown.ts'

export function runsPart(runs: Runs): string {
  const parts = CHECK_TYPES.flatMap((type) => (runs[type] === undefined ? [] : [partOf(type, runs[type])]))
  return `## Made-up values

Valid values, the same as people write them, with one slip, with two, and noise; every difference falls into one of these
classes. The numbers count values.

${parts.join('\n')}`
}

function partOf(type: CheckType, { compared, seed, peers, classes }: Run): string {
  return `### ${type}: classes of difference

${compared.toLocaleString('en')} values, seed ${seed}, compared with ${peers.join(', ')}.

| these libraries | who, how often | example | what decides |
|---|---|---|---|
${[...classes].sort(byFrequency).map(row).join('\n')}
`
}

const total = ({ peers }: FoundClass) => Object.values(peers).reduce((sum, count) => sum + count, 0)
const byFrequency = (one: FoundClass, other: FoundClass) => total(other) - total(one)

function row({ what, decides, example, peers }: FoundClass): string {
  const counts = Object.entries(peers).map(([peer, count]) => `${peer} ${count.toLocaleString('en')}`)
  return `| ${what} | ${counts.join(', ')} | ${shown(example)} | ${decides} |`
}
