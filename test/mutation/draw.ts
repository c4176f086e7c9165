/** Which mutants a run looks at: drawn by rank, so that a change of one file leaves the draw of all others as it is. */
import { createHash } from 'node:crypto'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Mutant, mutantsOf } from './operators.ts'

export const ROOT = join(import.meta.dirname, '../..')

/** What decides about money or verdicts: the default scope. */
export const SCOPE = [
  'src/payments',
  'src/ledger',
  'src/receipts',
  'src/outbound',
  'packages/command/src/buyer',
  'packages/checks/src',
  'src/http/body',
  'src/surfaces/a2a/protocol',
  'src/surfaces/a2a/request',
  'src/surfaces/a2a/text',
  'src/surfaces/rest',
  'src/surfaces/mcp',
]

/** A mutant with the text that names it: its file, its line before and after; the same in every run. */
export interface Drawn extends Mutant {
  readonly key: string
  readonly diff: string
}

export function apply(source: string, { start, end, text }: Mutant): string {
  return source.slice(0, start) + text + source.slice(end)
}

/** Records by the keys of these mutants: if a file is gone, its changes are looked for in the files that are there. */
export function followMoves<T>(
  records: Readonly<Record<string, T>>,
  mutants: ReadonlyMap<string, Drawn>,
): Record<string, T> {
  const byChange = new Map([...mutants.values()].map(({ path, key }) => [key.slice(path.length), key]))
  return Object.fromEntries(
    Object.entries(records).map(([key, record]) => {
      const path = key.slice(0, key.indexOf(': '))
      const moved = existsSync(join(ROOT, path)) ? undefined : byChange.get(key.slice(path.length))
      return [moved ?? key, record]
    }),
  )
}

/** Every mutant of these folders by its key. Lines that are equal in one file count once. */
export function candidates(folders: readonly string[]): Map<string, Drawn> {
  const found = new Map<string, Drawn>()
  const paths = folders.flatMap((folder) =>
    folder.endsWith('.ts') ? [folder] : globSync(`${folder}/**/*.ts`, { cwd: ROOT }),
  )
  for (const path of paths.sort()) {
    const source = readFileSync(join(ROOT, path), 'utf8')
    for (const mutant of mutantsOf(path, source)) {
      const [from, to] = [lineStart(source, mutant.start), lineEnd(source, mutant.end)]
      const before = source.slice(from, to)
      const after = apply(source, mutant).slice(from, to + mutant.text.length - (mutant.end - mutant.start))
      const key = `${path}: ${oneLine(before)} => ${oneLine(after)}`
      const line = source.slice(0, mutant.start).split('\n').length
      const diff = [`${path}:${line} (${mutant.operator})`, marked('-', before), marked('+', after)].join(
        '\n',
      )
      if (!found.has(key)) found.set(key, { ...mutant, key, diff })
    }
  }
  return found
}

const lineStart = (source: string, at: number) => source.lastIndexOf('\n', at - 1) + 1
const lineEnd = (source: string, at: number) => {
  const end = source.indexOf('\n', at)
  return end < 0 ? source.length : end
}
const oneLine = (text: string) => text.trim().replace(/\s+/g, ' ')
const marked = (sign: string, text: string) => text.replace(/^/gm, `  ${sign} `)

/** The first of them in an order that only the seed and their own texts decide. */
export function draw(folders: readonly string[], seed: string, count: number): Drawn[] {
  const rank = ({ key }: Drawn) => createHash('sha256').update(`${seed} ${key}`).digest('hex')
  return [...candidates(folders).values()]
    .map((mutant) => ({ mutant, rank: rank(mutant) }))
    .sort((one, other) => (one.rank < other.rank ? -1 : 1))
    .slice(0, count)
    .map(({ mutant }) => mutant)
}
