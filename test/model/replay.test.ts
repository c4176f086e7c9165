import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { graphOf } from '../../model/explore.ts'
import { pathsOver } from '../../model/paths.ts'
import type { Scenario } from '../../model/scenario.ts'
import { openSimulatedService, type SimulatedService } from '../simulation/service.ts'
import { CODE_CORRECTIONS } from './code-corrections.ts'
import { replay } from './replay.ts'

const two = { corrections: CODE_CORRECTIONS, replicas: 2, crashes: 0, leases: 1, lastPhase: 0 } as const

const GRAPHS: readonly Scenario[] = [
  { ...two, name: 'two copies', arrivals: { same: 2 } },
  { ...two, name: 'two copies and a crash', arrivals: { same: 2 }, sends: 1, crashes: 1 },
  { ...two, name: 'a differing call', arrivals: { same: 1, other: 1 }, sends: 1 },
  {
    ...two,
    name: 'a differing call and a store fault',
    arrivals: { same: 1, other: 1 },
    sends: 1,
    leases: 0,
    storeFaults: 1,
  },
  {
    ...two,
    name: 'the recovery loop and a crash',
    arrivals: { same: 1 },
    loops: 1,
    crashes: 1,
    lastPhase: 1,
  },
  {
    ...two,
    name: 'the recovery loop and a store fault',
    arrivals: { same: 1 },
    sends: 1,
    loops: 1,
    storeFaults: 1,
    lastPhase: 1,
  },
  {
    ...two,
    name: 'a store that loses what was not flushed',
    arrivals: { same: 2 },
    sends: 1,
    powerLosses: 1,
  },
  { ...two, name: 'two tasks', arrivals: { pay1: 1, pay2: 1 }, sends: 1 },
  {
    ...two,
    name: 'two tasks and a store fault',
    arrivals: { pay1: 1, pay2: 1 },
    sends: 1,
    leases: 0,
    storeFaults: 1,
  },
  {
    ...two,
    name: 'an authorization spent elsewhere, and a facilitator that is not to be believed',
    arrivals: { same: 1 },
    sends: 1,
    loops: 1,
    lastPhase: 1,
    spends: ['paid', 'foreign', 'canceled'],
    replies: ['settled', 'unknown', 'word_lie'],
  },
]

/** Ends what hangs; a loaded machine takes many times longer than an idle one. */
const HANGING_MS = 900_000

let service: SimulatedService
beforeAll(async () => {
  service = await openSimulatedService(2)
})
afterAll(() => service.close())

describe('the code does what the model does', () => {
  test.each(GRAPHS)(
    'on every edge of: $name',
    async (scenario) => {
      const graph = graphOf(scenario)
      for (const path of pathsOver(graph)) await replay(service, graph.nodes, path)
      expect(graph.edges).toBeGreaterThan(1_000)
    },
    HANGING_MS,
  )
})
