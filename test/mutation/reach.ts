/** Which tests reach a mutant, nearest first: from one run of the suites with probes, kept under node_modules/.cache. */
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { ROOT } from './draw.ts'
import { functionsOf, type Mutant } from './operators.ts'
import { openTree } from './tree.ts'

const KEPT = join(ROOT, 'node_modules/.cache/mutants/reached.json')
const LIMIT_MS = 1_800_000

export interface Reached {
  /** From the root of the project. */
  readonly test: string
  readonly ms: number
  /** Paths of the service and of the packages, each with the ordinals of the functions that were entered. */
  readonly files: Readonly<Record<string, readonly number[]>>
}

/** The test files that reach a mutant, as far as they take no longer together than the budget. */
export type Reach = (mutant: Mutant) => readonly Reached[]

/** Reads the kept map, or runs the suites once to make it. Its functions are known by ordinal: offsets move with each edit. */
export async function openReach(isFresh: boolean, budgetMs: number): Promise<Reach> {
  if (isFresh || !existsSync(KEPT)) await measure()
  const kept = JSON.parse(readFileSync(KEPT, 'utf8')) as readonly Reached[]
  return (mutant) => nearest(kept, mutant, budgetMs)
}

async function measure(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'reached-'))
  const tree = openTree(99)
  const args = [
    'run',
    '--config',
    'test/mutation/probe.config.ts',
    '--project',
    'unit',
    '--project',
    'system',
  ]
  await tree.run('vitest', args, LIMIT_MS, { REACHED: folder })
  const root = tree.folder
  const kept = readdirSync(folder).map((name): Reached => {
    const { testPath, ms, functions } = JSON.parse(readFileSync(join(folder, name), 'utf8'))
    const files: Record<string, number[]> = {}
    for (const place of functions as string[]) {
      const [path = '', start] = place.split(':')
      files[path] = [...(files[path] ?? []), ordinalOf(path, Number(start))]
    }
    return { test: relative(root, testPath), ms, files }
  })
  tree.remove()
  rmSync(folder, { recursive: true })
  mkdirSync(dirname(KEPT), { recursive: true })
  writeFileSync(KEPT, JSON.stringify(kept))
}

const functions = new Map<string, ReturnType<typeof functionsOf>>()

function functionsIn(path: string) {
  const known = functions.get(path) ?? functionsOf(path, readFileSync(join(ROOT, path), 'utf8'))
  functions.set(path, known)
  return known
}

const ordinalOf = (path: string, start: number) => functionsIn(path).findIndex((each) => each.start === start)

/** The innermost function around a mutant; -1 at the top of its module. */
function functionAround({ path, start, end }: Mutant): number {
  let found = -1
  for (const [ordinal, each] of functionsIn(path).entries())
    if (each.start <= start && end <= each.end) found = ordinal
  return found
}

/** Fewer than so many test files are joined by those that reach its folder: what runs once, at import, shows in one alone. */
const FEW = 10

function nearest(kept: readonly Reached[], mutant: Mutant, budgetMs: number): Reached[] {
  const around = functionAround(mutant)
  const folder = dirname(mutant.path)
  const reaching = kept.filter(({ files }) => files[mutant.path]?.includes(around))
  const beside = kept.filter(({ files }) => Object.keys(files).some((file) => dirname(file) === folder))
  let left = budgetMs
  const others = reaching.length < FEW ? beside.filter((each) => !reaching.includes(each)) : []
  return [...inOrder(reaching, mutant), ...inOrder(others, mutant)].filter(({ ms }) => {
    if (ms > left) return false
    left -= ms
    return true
  })
}

/** Tests whose folders are named as those of the file first; of these, the ones that run little. */
function inOrder(tests: readonly Reached[], { path }: Mutant): Reached[] {
  const parts = path.replace(/\bsrc\b/, 'test').split('/')
  const near = ({ test }: Reached) => {
    const shared = test.split('/').findIndex((part, index) => part.replace('.test', '') !== parts[index])
    return shared < 0 ? parts.length : shared
  }
  const cost = ({ ms, files }: Reached) => ms + Object.keys(files).length * 20
  return tests.toSorted((one, other) => near(other) - near(one) || cost(one) - cost(other))
}
