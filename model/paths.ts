/** A step from one state to another, by their places in the list of states. */
interface Step {
  readonly from: number
  readonly to: number
}

/** How many edges a path may repeat to reach one that no path has taken yet. */
const LONGEST_DETOUR = 4

/** Paths from the first state that together take every edge of the graph. */
export function pathsOver<Edge extends Step>({
  nodes,
  list,
}: {
  readonly nodes: readonly unknown[]
  readonly list: readonly Edge[]
}): readonly (readonly Edge[])[] {
  const outgoing: Edge[][] = nodes.map(() => [])
  const into = new Map<number, Edge>()
  for (const edge of list) {
    outgoing[edge.from]?.push(edge)
    if (!into.has(edge.to) && edge.to !== 0) into.set(edge.to, edge)
  }
  const open = outgoing.map((edges) => [...edges])
  const take = (edge: Edge): void => {
    const rest = open[edge.from] as Edge[]
    const index = rest.indexOf(edge)
    if (index >= 0) rest.splice(index, 1)
  }
  const wayTo = (id: number): Edge[] => {
    const way: Edge[] = []
    for (let at = id; at !== 0; ) {
      const edge = into.get(at) as Edge
      way.unshift(edge)
      at = edge.from
    }
    return way
  }
  const paths: Edge[][] = []
  for (let start = 0; start < nodes.length; start += 1) {
    while ((open[start] as Edge[]).length > 0) {
      const path = wayTo(start)
      for (const edge of path) take(edge)
      let at = start
      for (;;) {
        const detour = nearestOpen(at, outgoing, open)
        if (detour === null) break
        for (const edge of detour) take(edge)
        path.push(...detour)
        at = (detour.at(-1) as Edge).to
      }
      paths.push(path)
    }
  }
  return paths
}

/** The shortest way from a state to and over an edge that is still open; null when that is too far. */
function nearestOpen<Edge extends Step>(
  from: number,
  outgoing: readonly Edge[][],
  open: readonly Edge[][],
): Edge[] | null {
  let front: { readonly at: number; readonly way: Edge[] }[] = [{ at: from, way: [] }]
  for (let length = 0; length <= LONGEST_DETOUR; length += 1) {
    for (const { at, way } of front) {
      const edge = open[at]?.[0]
      if (edge !== undefined) return [...way, edge]
    }
    front = front.flatMap(({ at, way }) =>
      (outgoing[at] ?? []).map((edge) => ({ at: edge.to, way: [...way, edge] })),
    )
    if (front.length > 2_000) return null
  }
  return null
}
