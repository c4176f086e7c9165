/**
 * Compares each check with other libraries over many made-up values:
 * `npm run differences -- --values 1000000 [--seed 1] [--types iban,email] [--python python3]`.
 *
 * Keeps what it found in `runs.json`. A difference that no class of `classes.ts` explains is printed and fails the run.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { CHECK_TYPES, type CheckType } from '../../src/checks/verdict.ts'
import { batchJudges } from './batch-judges.ts'
import { type Run, runOf } from './runs.ts'

const FILE = new URL('runs.json', import.meta.url)
const SHOWN = 20

export type Runs = Partial<Readonly<Record<CheckType, Run>>>

export function readRuns(): Runs {
  return JSON.parse(readFileSync(FILE, 'utf8')) as Runs
}

export interface RunOptions {
  readonly values: number
  readonly seed: number
  /** Comma-separated; empty for all. */
  readonly types: string
  readonly python: string
}

/** Runs, keeps the result and says whether every difference is explained. */
export function runDifferential({ values, seed, types, python }: RunOptions): boolean {
  const judges = batchJudges(python)
  const asked = types === '' ? CHECK_TYPES : CHECK_TYPES.filter((type) => types.split(',').includes(type))
  let isExplained = true
  for (const type of asked) {
    const run = runOf(type, judges[type], { count: values, seed }, (compared, unexplained) => {
      console.log(`${type}: ${compared} of ${values}`)
      for (const { peer, accepted, details, value } of unexplained.slice(0, SHOWN)) {
        console.log(`  ${peer} differs, ours: ${accepted ? 'ok' : details.code}: ${JSON.stringify(value)}`)
      }
      isExplained &&= unexplained.length === 0
    })
    writeFileSync(FILE, `${JSON.stringify({ ...readRuns(), [type]: run }, null, 2)}\n`)
  }
  return isExplained
}
