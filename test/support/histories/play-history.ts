import { expect } from 'vitest'
import type { run } from '../command.ts'
import { isLinearizable } from '../linearizable.ts'
import { type Fleet, type Store, startFleet } from './fleet.ts'
import { historiesOf, NO_ROW } from './register.ts'

/** Calls answered between two troubles. */
export const SOME = 40

export interface Played {
  readonly store: Store
  readonly processes: number
  /** Starts a program of Node; this machine's own way by default. */
  readonly launch?: typeof run
}

/** Processes at work while something goes wrong; every key's history must have an order. */
export async function playHistory(
  { store, processes, launch }: Played,
  trouble: (fleet: Fleet) => Promise<void>,
): Promise<void> {
  const fleet = startFleet(store, launch)
  let lines: Awaited<ReturnType<Fleet['stop']>> = []
  try {
    for (let count = 0; count < processes; count += 1) await fleet.add()
    await fleet.answered(SOME)
    await trouble(fleet)
    await fleet.answered(SOME)
  } finally {
    lines = await fleet.stop()
  }
  const histories = historiesOf(lines)
  expect(histories.size).toBeGreaterThan(1)
  for (const [key, history] of histories) expect([key, isLinearizable(NO_ROW, history)]).toEqual([key, true])
}
