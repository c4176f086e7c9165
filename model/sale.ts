import { type Move, processMoves } from './process-steps.ts'
import type { State } from './sale-state.ts'
import type { Scenario } from './scenario.ts'
import { worldMoves } from './world-steps.ts'

/**
 * The sale as a state machine: every action that can happen in a state, with the state it leads to.
 *
 * Pure: it does nothing, it only says what could be done. A state with a fault has no successors.
 */
export function next(scenario: Scenario, state: State): readonly Move[] {
  if (state.fault !== null) return []
  const silent = { ...state, said: null }
  return [
    ...state.processes.flatMap((_, index) => processMoves(scenario, silent, index)),
    ...worldMoves(scenario, silent),
  ]
}
