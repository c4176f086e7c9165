import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { MUTANTS, type Mutant } from '../test/simulation/mutants.ts'
import { withBug } from '../test/simulation/plant.ts'
import type { Kill } from '../test/simulation/searches.ts'

const ROOT = join(import.meta.dirname, '..')
const BEGIN = '<!-- begin: seeded bugs, written by scripts/update-docs.ts -->'
const END = '<!-- end: seeded bugs -->'

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const row = (...cells: readonly string[]): string => `| ${cells.join(' | ')} |`

function killerOf({ test, equivalent }: Mutant, kill: Kill | undefined): string {
  if (kill?.by === 'model') return `model, \`${kill.graph}\`: ${kill.found}`
  if (kill?.by === 'simulation') return `simulation, \`${kill.faults}\` seed ${kill.seed}: ${kill.found}`
  const found = test === undefined ? '' : `\`${test}\``
  if (equivalent !== undefined) return `changes no sale: ${equivalent}${found === '' ? '' : ` (${found})`}`
  return found === '' ? '**nothing**' : found
}

/** The table of seeded bugs; throws if one of them no longer fits the sources. */
function seededBugs(): string {
  const kills = JSON.parse(read('test/simulation/kills.json')) as Readonly<Record<string, Kill>>
  const numbered = MUTANTS.map((mutant, index) => [index + 1, mutant] as const)
  for (const [, mutant] of numbered) withBug(read(join('src', mutant.file)), mutant)
  const equal = numbered.filter(([, { equivalent }]) => equivalent !== undefined).length
  const [model, simulation] = ['model', 'simulation'].map(
    (by) => Object.values(kills).filter((kill) => kill.by === by).length,
  ) as [number, number]
  const left = MUTANTS.length - equal
  const share = (((model + simulation) / left) * 100).toFixed(1)
  const rows = numbered.map(([number, mutant]) =>
    row(String(number), mutant.what, killerOf(mutant, kills[number])),
  )
  return `Of ${MUTANTS.length} seeded bugs ${model} are found by model replay and ${simulation} by the simulation alone, ${share} % of the ${left} that change
anything.

${row('', 'bug', 'what finds it first')}
${row('---', '---', '---')}
${rows.join('\n')}`
}

/** docs/proof.md, with its table of seeded bugs as it is now. */
export function proofDoc(): string {
  const page = read('docs/proof.md')
  const [before, rest] = page.split(BEGIN)
  const after = rest?.split(END)[1]
  if (before === undefined || after === undefined) throw new Error('docs/proof.md has lost its marks')
  return `${before}${BEGIN}\n${seededBugs()}\n${END}${after}`
}
