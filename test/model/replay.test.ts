import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { graphOf } from '../../model/explore.ts'
import { pathsOver } from '../../model/paths.ts'
import type { Scenario } from '../../model/scenario.ts'
import { openSimulatedService, type SimulatedService } from '../simulation/service.ts'
import { CODE_CORRECTIONS } from './code-corrections.ts'
import { replay } from './replay.ts'

const two = { corrections: CODE_CORRECTIONS, replicas: 2, crashes: 0, leases: 1, lastPhase: 0 } as const

const GRAPHS: readonly Scenario[] = [
  { ...two, name: 'two copies and a crash', arrivals: { same: 2 }, crashes: 1 },
  {
    ...two,
    name: 'a differing call and a store fault',
    arrivals: { same: 1, other: 1 },
    sends: 1,
    storeFaults: 1,
  },
  {
    ...two,
    name: 'the recovery loop beside a sale',
    arrivals: { same: 1 },
    loops: 1,
    crashes: 1,
    storeFaults: 1,
    lastPhase: 1,
  },
  {
    ...two,
    name: 'an authorization spent elsewhere',
    arrivals: { same: 1 },
    loops: 1,
    lastPhase: 1,
    spends: ['paid', 'foreign', 'canceled'],
    replies: ['settled', 'unknown', 'word_lie'],
  },
  { ...two, name: 'two tasks and a store fault', arrivals: { pay1: 1, pay2: 1 }, sends: 1, storeFaults: 1 },
]

let service: SimulatedService
beforeAll(async () => {
  service = await openSimulatedService(2)
})
afterAll(() => service.close())

describe('the code does what the model does', () => {
  test.each(GRAPHS)('on every edge of: $name', async (scenario) => {
    const graph = graphOf(scenario)
    for (const path of pathsOver(graph)) await replay(service, graph.nodes, path)
    expect(graph.edges).toBeGreaterThan(1_000)
  })
})
