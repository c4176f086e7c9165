import { existsSync, readFileSync } from 'node:fs'
import { type Figures, linesOf, noticed, sumOf } from '../test/mutation/table.ts'
import { csvTable } from './csv-table.ts'

const SAMPLES = new URL('../test/mutation/samples.json', import.meta.url)

const samples: Readonly<Record<string, Readonly<Record<string, Figures>>>> = existsSync(SAMPLES)
  ? JSON.parse(readFileSync(SAMPLES, 'utf8'))
  : {}

const byFolder = (): Record<string, Figures> => {
  const folders = [...new Set(Object.values(samples).flatMap((sample) => Object.keys(sample)))].sort()
  return Object.fromEntries(
    folders.map((folder) => [
      folder,
      sumOf(Object.values(samples).flatMap((sample) => sample[folder] ?? [])),
    ]),
  )
}

/** docs/evidence/mutants.csv: what noticed the mutants of the samples that are kept. */
export const mutantTable = (): string => {
  const [head = [], ...rows] = linesOf(byFolder())
  return csvTable(head, rows)
}

/** Their sum, for docs/evidence/proof.md. */
export function mutantFigures(): string {
  const all = sumOf(Object.values(byFolder()))
  return `Of ${all.drawn} drawn by seed ${Object.keys(samples).join(' and ')}, ${all.types} do not compile and ${all.equivalent} change nothing.
The simulator noticed ${all.simulation}, tests ${all.tests}; ${all.survived} survived: ${noticed(all)} noticed. [By folder](mutants.csv).`
}
