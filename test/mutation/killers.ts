/** What can notice a mutant, cheapest first: the types, the simulator, and the tests that reach it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Look } from '../simulation/searches.ts'
import { type Drawn, ROOT } from './draw.ts'
import type { Reach } from './reach.ts'
import type { Tree } from './tree.ts'

/** What noticed a mutant first, and what it said. */
export type Kill = (
  | { readonly by: 'types' }
  | { readonly by: 'hang' }
  | { readonly by: 'tests'; readonly test: string }
  | Look
) & { readonly found?: string }

/** Past these a mutant is taken for an endless loop: the looks take seconds, tests what they took when they were mapped. */
const LOOKS_LIMIT_MS = 120_000
/** What is known to end is given more: other suites may run beside it. */
const PATIENT_MS = 600_000
const testsLimitMs = (tookMs: number) => 60_000 + 10 * tookMs
/** Tests that are run first, and at once after that. */
const [NEAREST, CHUNK] = [5, 15]
/** What the simulator runs through; elsewhere they would find nothing. */
const SIMULATED = /^src\/(?:payments|ledger)\//
/** What schedules of own settlements run through, and no others. */
const SETTLING = /^src\/payments\/facilitators\/self\//

/** What the unit tests reach little of. */
const POSTGRES = /^src\/ledger\/postgres\//
const POSTGRES_SUITE_MS = 150_000

const TYPES = join(ROOT, 'test/mutation/tsconfig.json')

async function types(tree: Tree, limitMs = LOOKS_LIMIT_MS): Promise<Kill | null> {
  const { code, said } = await tree.run('tsc', ['-p', TYPES.slice(ROOT.length + 1)], limitMs)
  return code === 0 ? null : { by: 'types', found: said.split('\n')[0] ?? '' }
}

async function looks(
  tree: Tree,
  only?: Look | 'settlements',
  limitMs = LOOKS_LIMIT_MS,
): Promise<Kill | null> {
  const given = typeof only === 'object' ? JSON.stringify(only) : only
  const args = ['test/simulation/kill.ts', ...(given === undefined ? [] : [given])]
  const { code, said } = await tree.run('node', args, limitMs)
  if (code === null) return { by: 'hang', found: 'the simulator' }
  if (code !== 0)
    return {
      by: 'simulation',
      faults: '',
      seed: 1,
      found: said.split('\n').find((line) => /Error/.test(line)) ?? '',
    }
  return JSON.parse(said.trim().split('\n').at(-1) as string)
}

async function tests(tree: Tree, files: readonly string[], tookMs: number): Promise<Kill | null> {
  if (files.length === 0) return null
  const failure = await tree.test(files, testsLimitMs(tookMs))
  if (failure === 'late') return { by: 'hang', found: files.join(' ') }
  return failure === null ? null : { by: 'tests', ...failure }
}

const kindOf = ({ path }: Drawn) => (SETTLING.test(path) ? 'settlements' : undefined)

/** What notices the mutant that is planted in the tree; null if nothing does. */
export async function search(tree: Tree, mutant: Drawn, reach: Reach): Promise<Kill | null> {
  const early =
    (await types(tree)) ?? (SIMULATED.test(mutant.path) ? await looks(tree, kindOf(mutant)) : null)
  if (early !== null) return early
  const reaching = reach(mutant)
  for (let from = 0; from < reaching.length; from += from === 0 ? NEAREST : CHUNK) {
    const part = reaching.slice(from, from === 0 ? NEAREST : from + CHUNK)
    const tookMs = part.reduce((sum, { ms }) => sum + ms, 0)
    const kill = await tests(
      tree,
      part.map(({ test }) => test),
      tookMs,
    )
    if (kill !== null) return kill
  }
  return POSTGRES.test(mutant.path) ? tests(tree, ['test/postgres'], POSTGRES_SUITE_MS) : null
}

/** Whether the same as last time notices the mutant. */
export async function repeat(tree: Tree, kill: Kill): Promise<Kill | null> {
  if (kill.by === 'types') return types(tree, PATIENT_MS)
  if (kill.by === 'tests') return tests(tree, [kill.test], 10_000)
  if (kill.by === 'hang') return null
  const { found: _, ...where } = kill
  return looks(tree, where as Look, PATIENT_MS)
}

/** What fails without any change, by what is to notice the mutants: then nothing that is noticed counts. */
export async function failsUnchanged(tree: Tree, kills: readonly Kill[]): Promise<Kill | null> {
  const files = new Set(kills.flatMap((kill) => (kill.by === 'tests' ? [kill.test] : [])))
  const others = kills.filter(({ by }) => by !== 'tests')
  const failures = await Promise.all([
    tests(tree, [...files], 120_000),
    ...(kills.length > 0
      ? others.map((kill) => repeat(tree, kill))
      : [
          types(tree, PATIENT_MS),
          looks(tree, undefined, PATIENT_MS),
          looks(tree, 'settlements', PATIENT_MS),
        ]),
  ])
  return failures.find((failure) => failure !== null) ?? null
}

/** Mutants that change nothing a test could see, by their key, with the reason: judged from the diff. */
export const EQUIVALENT: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(join(import.meta.dirname, 'equivalent.json'), 'utf8'),
)
