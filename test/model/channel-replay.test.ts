import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ChannelScenario } from '../../model/channel/channel-state.ts'
import { exploreChannel } from '../../model/channel/explore-channel.ts'
import { pathsOver } from '../../model/paths.ts'
import { replayChannel } from './channel-replay.ts'
import { type ChannelService, openChannelService } from './channel-service.ts'

/** Graphs of two replicas that are small enough to take every edge of them. */
const GRAPHS: readonly ChannelScenario[] = [
  { name: 'two copies of a first call', replicas: 2, arrivals: { first: 2 }, leases: 1 },
  {
    name: 'a first call, a crash, another deposit',
    replicas: 2,
    arrivals: { first: 1, again: 1 },
    crashes: 1,
    leases: 1,
  },
  {
    name: 'a first call and another deposit, a store fault',
    replicas: 2,
    arrivals: { first: 1, again: 1 },
    replies: ['mined', 'silent air'],
    storeFaults: 1,
  },
  {
    name: 'the next call, and another one with its voucher',
    replicas: 2,
    arrivals: { first: 1, next: 1, nextOther: 1 },
    replies: ['mined', 'lie air'],
    storeFaults: 1,
  },
  {
    name: 'calls beside a refund',
    replicas: 2,
    arrivals: { first: 1, next: 1, refund: 2 },
    replies: ['mined', 'silent air'],
    leases: 1,
    gives: true,
  },
  {
    name: 'a call with another deposit beside a refund',
    replicas: 2,
    arrivals: { first: 1, topUp: 1, refund: 1 },
    replies: ['mined'],
    crashes: 1,
  },
  {
    name: 'a payer who leaves, and claims',
    replicas: 2,
    arrivals: { first: 1, next: 1, claim: 1 },
    replies: ['mined', 'silent air'],
    leaves: true,
  },
  {
    name: 'a node that shows an old state',
    replicas: 2,
    arrivals: { first: 1, next: 1, refund: 1 },
    replies: ['mined'],
    nodeStands: true,
  },
]

/** Ends what hangs; a loaded machine takes many times longer than an idle one. */
const HANGING_MS = 900_000

let service: ChannelService
beforeAll(async () => {
  service = await openChannelService()
})
afterAll(() => service.close())

describe('the code of payment channels does what the model does', () => {
  test.each(GRAPHS)(
    'on every edge of: $name',
    async (scenario) => {
      const { nodes, edges, broken } = exploreChannel(scenario)
      expect(broken).toBeNull()
      for (const path of pathsOver({ nodes, list: edges })) await replayChannel(service, nodes, path)
      expect(edges.length).toBeGreaterThan(100)
    },
    HANGING_MS,
  )
})
