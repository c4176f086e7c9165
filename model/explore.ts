import { violation } from './invariants.ts'
import { next } from './sale.ts'
import { encode, encodeSymmetric, type State } from './sale-state.ts'
import { initialState, type Scenario } from './scenario.ts'
import { type Edge, type Exploration, search } from './search.ts'

export interface Graph extends Exploration {
  readonly nodes: readonly State[]
  readonly list: readonly Edge[]
}

/** Visits every state that a scenario can reach, breadth first, and stops at the first broken invariant. */
export function explore(scenario: Scenario): Exploration {
  const healed = new Map<string, string | null>()
  return search({
    first: initialState(scenario),
    next: (state) => next(scenario, state),
    encode: scenario.replicas === 2 && scenario.clockAhead !== true ? encodeSymmetric : encode,
    judge: (state) => violation(scenario, state, healed),
    visit: () => {},
  })
}

/** Every state and edge, broken invariants or not; replicas keep their names. */
export function graphOf(scenario: Scenario): Graph {
  const nodes: State[] = []
  const list: Edge[] = []
  const found = search({
    first: initialState(scenario),
    next: (state) => next(scenario, state),
    encode,
    judge: () => null,
    visit: (state, edge) => {
      if (state !== null) nodes.push(state)
      if (edge !== null) list.push(edge)
    },
  })
  return { ...found, nodes, list }
}
