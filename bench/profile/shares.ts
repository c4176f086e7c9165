/** A V8 CPU profile as a list of functions and their shares of the time under load. */

interface ProfileNode {
  readonly id: number
  readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number }
  readonly children?: readonly number[]
}

export interface CpuProfile {
  readonly nodes: readonly ProfileNode[]
  readonly samples: readonly number[]
  /** Microseconds since the sample before. */
  readonly timeDeltas: readonly number[]
}

const IDLE = new Set(['(idle)', '(root)'])

/**
 * One line per function, the largest share of its own first: own share, share with what it calls, name and place.
 * Looks at the last `milliseconds` alone, so that the start of the process is left out.
 */
export function sharesOf(
  { nodes, samples, timeDeltas }: CpuProfile,
  milliseconds: number,
  most: number,
): readonly string[] {
  const hits = new Map<number, number>()
  let left = milliseconds * 1_000
  for (let index = samples.length - 1; index >= 0 && left > 0; index--) {
    left -= timeDeltas[index]!
    hits.set(samples[index]!, (hits.get(samples[index]!) ?? 0) + 1)
  }
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const own = new Map<string, number>()
  const whole = new Map<string, number>()
  const busy = nodes.reduce(
    (sum, node) => sum + (IDLE.has(node.callFrame.functionName) ? 0 : (hits.get(node.id) ?? 0)),
    0,
  )

  const visit = (node: ProfileNode, above: ReadonlySet<string>): number => {
    const name = nameOf(node)
    const mine = hits.get(node.id) ?? 0
    const inside = new Set(above).add(name)
    const below = (node.children ?? []).reduce((sum, id) => sum + visit(byId.get(id)!, inside), 0)
    own.set(name, (own.get(name) ?? 0) + mine)
    // A function that calls itself is counted once.
    if (!above.has(name)) whole.set(name, (whole.get(name) ?? 0) + mine + below)
    return mine + below
  }
  visit(nodes[0]!, new Set())

  const percent = (count: number) => `${((100 * count) / busy).toFixed(1)}%`.padStart(6)
  return [...own]
    .filter(([name]) => !IDLE.has(name.split(' ')[0]!))
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, most)
    .map(([name, mine]) => `${percent(mine)} ${percent(whole.get(name) ?? 0)}  ${name}`)
}

function nameOf({ callFrame: { functionName, url, lineNumber } }: ProfileNode): string {
  const place = url === '' ? '' : `${url.replace(/^.*\/(src|node_modules)\//, '')}:${lineNumber + 1}`
  return `${functionName || '(anonymous)'} ${place}`
}
