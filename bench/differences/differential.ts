/** Compares the checks with a library, value by value, and sorts what differs into the known classes. */
import { CHECKS } from '../../src/checks/checks.ts'
import type { CheckType } from '../../src/checks/verdict.ts'
import { outlineOf, vectors } from '../../test/support/vectors.ts'
import { CLASSES, type Difference, type DifferenceClass } from './classes.ts'

/** A library asked about many values at once; null where it does not know the kind. */
export type BatchJudge = (values: readonly string[]) => readonly (boolean | null)[]

/** How often a class occurred with one library, and the first value that showed it. */
export interface Count {
  readonly peer: string
  readonly group: DifferenceClass
  count: number
  readonly example: string
}

export interface Comparison {
  readonly compared: number
  readonly counts: readonly Count[]
  /** Differences that no class explains: a mistake of theirs that is new to us, or one of ours. */
  readonly unexplained: readonly Difference[]
}

export function compare(
  type: CheckType,
  values: readonly string[],
  peers: Readonly<Record<string, BatchJudge>>,
): Comparison {
  const verdicts = values.map((value) => CHECKS[type](value))
  const differences = Object.entries(peers).flatMap(([peer, judge]) => {
    const differing = judge(values).flatMap((said, index) =>
      said !== null && said !== verdicts[index]!.valid ? [index] : [],
    )
    const compact = judge(differing.map((index) => compactForm(type, values[index]!)))
    const examples = examplesTaken(type, judge)
    return differing.map((index, nth): Difference => {
      const { valid, details } = verdicts[index]!
      return {
        ...{ type, peer, details, value: values[index]!, accepted: valid },
        takesCompact: valid && compact[nth] === true,
        takesExample: examples.get(String(details.country)) ?? true,
      }
    })
  })
  return { compared: values.length, ...sorted(differences) }
}

function sorted(differences: readonly Difference[]): Omit<Comparison, 'compared'> {
  const counts = new Map<string, Count>()
  const unexplained: Difference[] = []
  for (const difference of differences) {
    const { peer, value } = difference
    const index = CLASSES.findIndex((group) => explains(group, difference))
    const group = CLASSES[index]
    if (group === undefined) {
      unexplained.push(difference)
      continue
    }
    const key = `${index} ${peer}`
    const known = counts.get(key)
    if (known === undefined) counts.set(key, { peer, group, count: 1, example: value })
    else known.count++
  }
  return { counts: [...counts.values()], unexplained }
}

function explains({ types, peers, matches }: DifferenceClass, difference: Difference): boolean {
  return (
    types.includes(difference.type) &&
    (peers.length === 0 || peers.includes(difference.peer)) &&
    matches(difference)
  )
}

/** What the documented normalisation makes of a value that we accept. */
function compactForm(type: CheckType, value: string): string {
  const { kind, prefix = '' } = outlineOf(type)
  if (kind === 'text') return value.trim()
  const compact = value.replace(/[\s\ufeff.\-\u2010\u2011\u2013]/g, '').toUpperCase()
  return compact.startsWith(prefix) ? compact.slice(prefix.length) : compact
}

/** By country: whether the library takes the registry's example. */
function examplesTaken(type: CheckType, judge: BatchJudge): ReadonlyMap<string, boolean> {
  if (type !== 'iban') return new Map()
  const examples = vectors('iban-registry').map(({ value }) => value)
  return new Map(judge(examples).map((said, index) => [examples[index]!.slice(0, 2), said === true]))
}
