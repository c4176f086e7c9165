import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { graphOf } from '../../model/explore.ts'
import { pathsOver } from '../../model/paths.ts'
import { openSimulatedService, type SimulatedService } from '../simulation/service.ts'
import { GRAPHS } from './graphs.ts'
import { PAYER, replay } from './replay.ts'

/** Ends what hangs; a loaded machine takes many times longer than an idle one. */
const HANGING_MS = 900_000

let service: SimulatedService
beforeAll(async () => {
  service = await openSimulatedService(2, { paidBefore: [PAYER] })
})
afterAll(() => service.close())

describe('the code does what the model does', () => {
  test.each(GRAPHS)(
    'on every edge of: $name',
    async (scenario) => {
      const graph = graphOf(scenario)
      for (const path of pathsOver(graph)) await replay(service, graph.nodes, path)
      expect(graph.edges).toBeGreaterThan(20)
    },
    HANGING_MS,
  )
})
