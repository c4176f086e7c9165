import { violation } from './invariants.ts'
import type { Move } from './process-steps.ts'
import { next } from './sale.ts'
import { encode, encodeSymmetric, type State } from './sale-state.ts'
import { initialState, type Scenario } from './scenario.ts'

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

export interface Graph extends Exploration {
  readonly nodes: readonly State[]
  readonly list: readonly Edge[]
}

/** Visits every state that a scenario can reach, breadth first, and stops at the first broken invariant. */
export const explore = (scenario: Scenario): Exploration =>
  search(
    scenario,
    scenario.replicas === 2 && scenario.clockAhead !== true ? encodeSymmetric : encode,
    () => {},
  )

/** Every state and edge, broken invariants or not; replicas keep their names. */
export function graphOf(scenario: Scenario): Graph {
  const nodes: State[] = []
  const list: Edge[] = []
  const visit = (state: State | null, edge: Edge | null) => {
    if (state !== null) nodes.push(state)
    if (edge !== null) list.push(edge)
  }
  const found = search(scenario, encode, visit, () => null)
  return { ...found, nodes, list }
}

function search(
  scenario: Scenario,
  encoding: (state: State) => string,
  visit: (state: State | null, edge: Edge | null) => void,
  judge: typeof violation = violation,
): Exploration {
  const first = initialState(scenario)
  const ids = new Map<string, number>([[encoding(first), 0]])
  const queue: State[] = [first]
  const parents: { from: number; action: string }[] = [{ from: -1, action: '' }]
  const healed = new Map<string, string | null>()
  let edges = 0
  const traceTo = (id: number): string[] => {
    const trace: string[] = []
    for (let at = id; at > 0; at = parents[at]?.from ?? 0) trace.unshift(parents[at]?.action ?? '')
    return trace
  }
  visit(first, null)
  for (let from = 0; from < queue.length; from += 1) {
    const moves: readonly Move[] = next(scenario, queue[from] as State)
    for (const [action, state] of moves) {
      const key = encoding(state)
      let to = ids.get(key)
      if (to === from) continue
      edges += 1
      if (to === undefined) {
        to = queue.length
        ids.set(key, to)
        queue.push(state)
        parents.push({ from, action })
        visit(state, null)
        const invariant = judge(scenario, state, healed)
        if (invariant !== null)
          return { states: queue.length, edges, broken: { invariant, trace: traceTo(to) } }
      }
      visit(null, { from, to, action, said: state.said })
    }
  }
  return { states: queue.length, edges, broken: null }
}
