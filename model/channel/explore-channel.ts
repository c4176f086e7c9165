import { next } from './channel.ts'
import { violation } from './channel-invariants.ts'
import { type ChannelScenario, initialState, type State } from './channel-state.ts'

export interface ChannelEdge {
  readonly from: number
  readonly to: number
  readonly action: string
  readonly said: string | null
}

export interface ChannelGraph {
  readonly nodes: readonly State[]
  readonly edges: readonly ChannelEdge[]
  /** The first broken invariant and the shortest way to it; null when none is broken. */
  readonly broken: { readonly invariant: string; readonly trace: readonly string[] } | null
}

/** Visits every state that a scenario can reach, breadth first, and stops at the first broken invariant. */
export function exploreChannel(scenario: ChannelScenario): ChannelGraph {
  const first = initialState(scenario)
  const nodes: State[] = [first]
  const ids = new Map<string, number>([[keyOf(first), 0]])
  const parents: { readonly from: number; readonly action: string }[] = [{ from: -1, action: '' }]
  const edges: ChannelEdge[] = []
  const healed = new Map<string, string | null>()
  const traceTo = (id: number): string[] => {
    const trace: string[] = []
    for (let at = id; at > 0; at = parents[at]?.from ?? 0) trace.unshift(parents[at]?.action ?? '')
    return trace
  }
  for (let from = 0; from < nodes.length; from += 1) {
    for (const [action, state] of next(scenario, nodes[from] as State)) {
      const key = keyOf(state)
      let to = ids.get(key)
      if (to === from) continue
      if (to === undefined) {
        to = nodes.length
        ids.set(key, to)
        nodes.push({ ...state, said: null })
        parents.push({ from, action })
        const invariant = violation(scenario, state, healed)
        if (invariant !== null) return { nodes, edges, broken: { invariant, trace: traceTo(to) } }
      }
      edges.push({ from, to, action, said: state.said })
    }
  }
  return { nodes, edges, broken: null }
}

/** What was said is part of a step, not of a state; only whether a lease lives matters of the clock. */
function keyOf({ said: _, clock, deposits, locks, ...rest }: State): string {
  const lives = (lease: number) => lease === clock
  return JSON.stringify([
    rest,
    deposits.map((deposit) => deposit && [deposit.state, deposit.owner, lives(deposit.lease)]),
    rest.processes.map((each) => each?.seenDeposit && lives(each.seenDeposit.lease)),
    [lives(locks.tend), lives(locks.refund)],
  ])
}
