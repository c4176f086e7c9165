import { existsSync, readFileSync } from 'node:fs'
import { RULES } from '../model/channel/rules.ts'
import { CHANNEL_PLANS } from '../model/channel/scenarios.ts'
import { ALL_CORRECTIONS } from '../model/corrections.ts'
import { graphOf } from '../model/explore.ts'
import { PLANS } from '../model/scenarios.ts'
import { SETTLEMENT_PLANS, SETTLEMENT_RULES } from '../model/settlement.ts'
import { GRAPHS } from '../test/model/graphs.ts'
import { type Figures, sumOf, tableOf } from '../test/mutation/table.ts'

const SAMPLES = new URL('../test/mutation/samples.json', import.meta.url)

/** What the models search, for docs/evidence/proof.md. */
export function modelFigures(): string {
  const graphs = GRAPHS.map(graphOf)
  const sum = (numbers: readonly number[]) =>
    numbers.reduce((one, other) => one + other, 0).toLocaleString('en')
  const edges = sum(graphs.map((graph) => graph.edges))
  const states = sum(graphs.map(({ nodes }) => nodes.length))
  return `| | single payments | payment channels | own settlements |
|---|---|---|---|
| searches of all states | ${PLANS.length} | ${CHANNEL_PLANS.length} | ${SETTLEMENT_PLANS.length} |
| rules; a search fails if any one is left out | ${ALL_CORRECTIONS.length} | ${Object.keys(RULES).length} | ${Object.keys(SETTLEMENT_RULES).length} |
| graphs that the real code replays | ${GRAPHS.length}, with ${edges} moves between ${states} states | eight | none |`
}

/** What noticed the mutants of the samples that are kept, for docs/evidence/proof.md. */
export function mutantFigures(): string {
  const samples: Readonly<Record<string, Readonly<Record<string, Figures>>>> = existsSync(SAMPLES)
    ? JSON.parse(readFileSync(SAMPLES, 'utf8'))
    : {}
  const folders = [...new Set(Object.values(samples).flatMap((sample) => Object.keys(sample)))].sort()
  const rows = folders.map((folder) => [
    folder,
    sumOf(Object.values(samples).flatMap((sample) => sample[folder] ?? [])),
  ])
  return `Drawn by seed ${Object.keys(samples).join(', ')}:

${tableOf(Object.fromEntries(rows))}`
}
