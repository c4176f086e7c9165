/**
 * Changes every constant, comparison and branch under `src/checks`, one at a time, and asks whether the checks' vectors
 * notice: `npm run mutate:checks [-- --only PATH]`. Writes `test/checks/surviving-mutants.md`.
 *
 * All modules are compiled once; a mutant compiles one of them again, and the whole graph is instantiated again in this
 * process, so no mutant costs more than some milliseconds. A mutant that throws, hangs or fails an assertion is killed.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join, posix } from 'node:path'
import { parseArgs } from 'node:util'
import { runInThisContext, Script } from 'node:vm'
import { CHECK_TYPES, type Check, type CheckType } from '../src/checks/verdict.ts'
import { assertionsHold } from '../test/support/check-assertions.ts'
import { reasonOf, type Survivor } from '../test/support/equivalent-mutants.ts'
import { type Mutant, mutantsOf } from './mutants.ts'

const ROOT = join(import.meta.dirname, '../src/checks')
const REPORT = new URL('../test/checks/surviving-mutants.md', import.meta.url)
/** A mutant that runs longer is taken for an endless loop. */
const HANGS_AFTER_MS = 2_000
const GOAL = 0.98

type Exports = Record<string, unknown>
type Factory = (need: (path: string) => Exports, exported: Exports) => void

const sources: ReadonlyMap<string, string> = new Map(
  globSync('**/*.ts', { cwd: ROOT })
    .map((path) => path.replaceAll('\\', '/'))
    .sort()
    .map((path) => [path, stripTypeScriptTypes(readFileSync(join(ROOT, path), 'utf8'))]),
)
const compiled = new Map([...sources].map(([path, source]) => [path, compile(path, source)]))

/** A module as a function of what it imports; the checks have no default exports and no cycles. */
function compile(path: string, source: string): Factory {
  const names: string[] = []
  const body = source
    .replace(/^import\s*\{([^}]*)\}\s*from\s*'([^']+)'/gm, (_, list: string, from: string) => {
      const target = posix.join(posix.dirname(path), from)
      return `const {${list.replace(/\s+as\s+/g, ': ')}} = need('${target}')`
    })
    .replace(/^export (const|function\*?|class) ([A-Za-z0-9_$]+)/gm, (_, kind: string, name: string) => {
      names.push(name)
      return `${kind} ${name}`
    })
  const exporting = names.map((name) => `exported.${name} = ${name}`).join(';')
  return new Script(`(need, exported) => {${body}\n;${exporting}}`).runInThisContext() as Factory
}

/** Instantiates the checks, with one module replaced. */
function instantiate(changed?: { readonly path: string; readonly factory: Factory }) {
  const loaded = new Map<string, Exports>()
  const need = (path: string): Exports => {
    const known = loaded.get(path)
    if (known !== undefined) return known
    const exported: Exports = {}
    loaded.set(path, exported)
    const factory = path === changed?.path ? changed.factory : compiled.get(path)!
    factory(need, exported)
    return exported
  }
  return need
}

/** What runs inside the time limit reaches its work through here. */
const bench = globalThis as unknown as { runMutant: () => boolean }

function isKilled({ path, source }: { readonly path: string; readonly source: string }): boolean {
  try {
    const factory = compile(path, source)
    bench.runMutant = () => {
      const need = instantiate({ path, factory })
      const { CHECKS } = need('checks.ts') as { CHECKS: Readonly<Record<CheckType, Check>> }
      return !assertionsHold(CHECKS, need, firstTypeOf(path))
    }
    return runInThisContext('runMutant()', { timeout: HANGS_AFTER_MS }) as boolean
  } catch {
    return true
  }
}

/** The type whose answers are likeliest to notice a change of this module. */
function firstTypeOf(path: string): CheckType | undefined {
  if (path.startsWith('pl/check-')) return `pl-${path.slice('pl/check-'.length, -'.ts'.length)}` as CheckType
  return CHECK_TYPES.find((type) => path.startsWith(`${type}/`))
}

function apply(source: string, { start, end, text }: Mutant): string {
  return source.slice(0, start) + text + source.slice(end)
}

const { values } = parseArgs({ options: { only: { type: 'string', default: '' } } })
const original = instantiate()
const { CHECKS } = original('checks.ts') as { CHECKS: Readonly<Record<CheckType, Check>> }
if (!assertionsHold(CHECKS, original)) throw new Error('the assertions fail on the checks as they are')

let total = 0
const survivors: (Survivor & { readonly line: number })[] = []
for (const [path, source] of sources) {
  if (!path.includes(values.only)) continue
  const mutants = mutantsOf(source)
  const left = mutants.filter((mutant) => !isKilled({ path, source: apply(source, mutant) }))
  total += mutants.length
  for (const { start, end, text } of left) {
    const line = source.slice(0, start).split('\n').length
    const code = source.split('\n')[line - 1]!.trim()
    survivors.push({ path, line, code, change: `\`${source.slice(start, end)}\` → \`${text}\`` })
  }
  console.log(`${path}: ${mutants.length - left.length} of ${mutants.length} killed`)
}

const equivalent = survivors.filter((survivor) => reasonOf(survivor) !== undefined)
const counted = total - equivalent.length
const killed = total - survivors.length
console.log(`${total} mutants, ${equivalent.length} equivalent, ${killed} of ${counted} killed`)
if (values.only === '') writeFileSync(REPORT, report())
for (const survivor of survivors.filter((each) => reasonOf(each) === undefined))
  console.log(`${survivor.path}:${survivor.line} ${survivor.change} in ${survivor.code}`)
if (killed / counted < GOAL) process.exitCode = 1

function report(): string {
  const rows = survivors.map(
    (survivor) =>
      `| ${survivor.path}:${survivor.line} | ${survivor.change.replaceAll('|', '\\|')} | ${reasonOf(survivor) ?? 'not noticed'} |`,
  )
  const share = ((100 * killed) / counted).toFixed(1)
  return `# Surviving mutants

Written by \`npm run mutate:checks\`. ${total} mutants of \`src/checks\`: every number, comparison, logical and arithmetic operator,
condition and structure of the tables, changed one at a time. ${equivalent.length} of them change no answer; of the other ${counted},
${killed} (${share} %) are killed by the vectors.

| where | change | why it survives |
|---|---|---|
${rows.join('\n')}
`
}
