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
 * Looks at the last `milliseconds` of work alone, so that the start of the process is left out.
 */
export function sharesOf(
  { nodes, samples, timeDeltas }: CpuProfile,
  milliseconds: number,
  most: number,
): readonly string[] {
  const hits = new Map<number, number>()
  let left = milliseconds * 1_000
  const byId = new Map(nodes.map((node) => [node.id, node]))
  for (let index = samples.length - 1; index >= 0 && left > 0; index--) {
    if (IDLE.has(byId.get(samples[index]!)!.callFrame.functionName)) continue
    left -= timeDeltas[index]!
    hits.set(samples[index]!, (hits.get(samples[index]!) ?? 0) + 1)
  }
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

/** One line per function of ours: its share with all that Node and libraries do for it, the largest first. */
export function chargedShares(
  { nodes, samples, timeDeltas }: CpuProfile,
  milliseconds: number,
  most: number,
): readonly string[] {
  const byId = new Map(nodes.map((node) => [node.id, node]))
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])))
  const charged = new Map<string, number>()
  let busy = 0
  let left = milliseconds * 1_000
  for (let index = samples.length - 1; index >= 0 && left > 0; index--) {
    const leaf = byId.get(samples[index]!)!
    if (IDLE.has(leaf.callFrame.functionName)) continue
    left -= timeDeltas[index]!
    let node: ProfileNode | undefined = leaf
    while (node !== undefined && !/\/src\/[^/]/.test(node.callFrame.url.replace(/.*node_modules.*/, ''))) {
      const parent = parents.get(node.id)
      node = parent === undefined ? undefined : byId.get(parent)
    }
    const name = node === undefined ? outermost(leaf, byId, parents) : nameOf(node)
    charged.set(name, (charged.get(name) ?? 0) + 1)
    busy++
  }
  return [...charged]
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, most)
    .map(([name, count]) => `${((100 * count) / busy).toFixed(1)}%`.padStart(6).concat(`  ${name}`))
}

/** What runs for none of ours goes to the call nearest to the event loop. */
function outermost(
  leaf: ProfileNode,
  byId: ReadonlyMap<number, ProfileNode>,
  parents: ReadonlyMap<number, number>,
): string {
  let node = leaf
  for (let id = parents.get(node.id); id !== undefined; id = parents.get(id)) {
    const parent = byId.get(id)!
    if (IDLE.has(parent.callFrame.functionName)) break
    node = parent
  }
  return nameOf(node)
}

function nameOf({ callFrame: { functionName, url, lineNumber } }: ProfileNode): string {
  const place = url === '' ? '' : `${url.replace(/^.*\/(src|node_modules)\//, '')}:${lineNumber + 1}`
  return `${functionName || '(anonymous)'} ${place}`
}
