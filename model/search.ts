export interface Edge {
  readonly from: number
  readonly to: number
  readonly action: string
  /** The answer that this step gives to a request. */
  readonly said: string | null
}

export interface Exploration {
  readonly states: number
  readonly edges: number
  /** The first broken invariant and the shortest way to it; null when none is broken. */
  readonly broken: { readonly invariant: string; readonly trace: readonly string[] } | null
}

/** A state of a model, with what its last step has answered. */
interface Said {
  readonly said: string | null
}

export interface Search<State extends Said> {
  readonly first: State
  readonly next: (state: State) => Iterable<readonly [action: string, state: State]>
  /** Equal for states that count as one. */
  readonly encode: (state: State) => string
  /** What is wrong with a state; null when nothing is. */
  readonly judge: (state: State) => string | null
  /** Called with each new state, the first included, and with each edge. */
  readonly visit: (state: State | null, edge: Edge | null) => void
}

/** Visits every state that can be reached, breadth first, and stops at the first broken invariant. */
export function search<State extends Said>({
  first,
  next,
  encode,
  judge,
  visit,
}: Search<State>): Exploration {
  const ids = new Map<string, number>([[encode(first), 0]])
  const queue: State[] = [first]
  const parents: { readonly from: number; readonly action: string }[] = [{ from: -1, action: '' }]
  let edges = 0
  const traceTo = (id: number): string[] => {
    const trace: string[] = []
    for (let at = id; at > 0; at = parents[at]?.from ?? 0) trace.unshift(parents[at]?.action ?? '')
    return trace
  }
  visit(first, null)
  for (let from = 0; from < queue.length; from += 1) {
    for (const [action, state] of next(queue[from] as State)) {
      const key = encode(state)
      let to = ids.get(key)
      if (to === from) continue
      edges += 1
      if (to === undefined) {
        to = queue.length
        ids.set(key, to)
        queue.push(state)
        parents.push({ from, action })
        visit(state, null)
        const invariant = judge(state)
        if (invariant !== null)
          return { states: queue.length, edges, broken: { invariant, trace: traceTo(to) } }
      }
      visit(null, { from, to, action, said: state.said })
    }
  }
  return { states: queue.length, edges, broken: null }
}

/** The finding under a key, made on the first question. */
export function remembered<T>(findings: Map<string, T>, key: string, find: () => T): T {
  const known = findings.get(key)
  if (known !== undefined) return known
  const found = find()
  findings.set(key, found)
  return found
}
