import type { Drawn } from './draw.ts'
import type { Kill } from './killers.ts'

/** Of the mutants of one folder: how many were drawn, and what became of them. */
export interface Figures {
  drawn: number
  types: number
  simulation: number
  tests: number
  equivalent: number
  survived: number
}

const NONE: Figures = { drawn: 0, types: 0, simulation: 0, tests: 0, equivalent: 0, survived: 0 }

/** Folders of `src/payments` have rows of their own, since the simulator sees only some of them. */
export const folderOf = (path: string): string =>
  path
    .split('/')
    .slice(1, path.startsWith('src/payments/') ? 3 : 2)
    .join('/')

export function figuresOf(
  drawn: readonly Drawn[],
  kills: Readonly<Record<string, Kill | null>>,
  equivalent: Readonly<Record<string, string>>,
): Record<string, Figures> {
  const figures: Record<string, Figures> = {}
  for (const { path, key } of drawn) {
    const row = figures[folderOf(path)] ?? { ...NONE }
    figures[folderOf(path)] = row
    const by = kills[key]?.by
    row.drawn += 1
    if (equivalent[key] !== undefined) row.equivalent += 1
    else if (by === undefined) row.survived += 1
    else if (by === 'types') row.types += 1
    else if (by === 'simulation') row.simulation += 1
    else row.tests += 1
  }
  return Object.fromEntries(Object.entries(figures).sort(([one], [other]) => (one < other ? -1 : 1)))
}

export function sumOf(rows: readonly Figures[]): Figures {
  const sum = { ...NONE }
  for (const row of rows)
    for (const column of Object.keys(NONE) as (keyof Figures)[]) sum[column] += row[column]
  return sum
}

/** The share that is noticed of those that compile and change something, with Wilson's interval of 95 %. */
export function noticed(row: Figures): string {
  const of = row.simulation + row.tests + row.survived
  if (of === 0) return '–'
  const [share, z] = [(row.simulation + row.tests) / of, 1.96]
  const middle = (share + z ** 2 / (2 * of)) / (1 + z ** 2 / of)
  const width = (z * Math.sqrt((share * (1 - share)) / of + z ** 2 / (4 * of ** 2))) / (1 + z ** 2 / of)
  const percent = (part: number) => `${(100 * part).toFixed(0)}`
  return `${(100 * share).toFixed(1)} % (${percent(Math.max(0, middle - width))}–${percent(Math.min(1, middle + width))})`
}

const HEAD = [
  ...['folder', 'drawn', 'do not compile', 'simulator', 'tests'],
  ...['change nothing', 'survived', 'noticed'],
]

/** The head, a row for each folder, and their sum. */
export const linesOf = (figures: Readonly<Record<string, Figures>>): readonly (readonly string[])[] => [
  HEAD,
  ...[...Object.entries(figures), ['all', sumOf(Object.values(figures))] as const].map(([folder, row]) => [
    folder,
    ...[row.drawn, row.types, row.simulation, row.tests, row.equivalent, row.survived].map(String),
    noticed(row),
  ]),
]
