import { type Edge, type Exploration, search } from '../search.ts'
import { next } from './channel.ts'
import { violation } from './channel-invariants.ts'
import { type ChannelScenario, initialState, type State } from './channel-state.ts'

export interface ChannelGraph {
  readonly nodes: readonly State[]
  readonly edges: readonly Edge[]
  readonly broken: Exploration['broken']
}

/** Visits every state that a scenario can reach, breadth first, and stops at the first broken invariant. */
export function exploreChannel(scenario: ChannelScenario): ChannelGraph {
  const nodes: State[] = []
  const edges: Edge[] = []
  const healed = new Map<string, string | null>()
  const { broken } = search({
    first: initialState(scenario),
    next: (state) => next(scenario, { ...state, said: null }),
    encode: keyOf,
    judge: (state) => violation(scenario, state, healed),
    visit: (state, edge) => {
      if (state !== null) nodes.push({ ...state, said: null })
      if (edge !== null) edges.push(edge)
    },
  })
  return { nodes, edges, broken }
}

/** What was said is part of a step, not of a state; only whether a lease lives matters of the clock. */
function keyOf({ said: _, clock, deposits, locks, ...rest }: State): string {
  const lives = (lease: number) => lease === clock
  return JSON.stringify([
    rest,
    deposits.map((deposit) => deposit && [deposit.state, deposit.owner, lives(deposit.lease)]),
    rest.processes.map((each) => each?.seenDeposit && lives(each.seenDeposit.lease)),
    [lives(locks.maintain), lives(locks.refund)],
  ])
}
