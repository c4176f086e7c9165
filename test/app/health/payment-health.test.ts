import type { FacilitatorClient } from '@x402/core/server'
import { afterEach, describe, expect, test } from 'vitest'
import {
  createPaymentHealth,
  earliestOf,
  type PaymentHealth,
} from '../../../src/app/health/payment-health.ts'
import { type ChainReader, ChainUnavailable } from '../../../src/payments/chain/chain-reader.ts'
import { FacilitatorFault } from '../../../src/payments/facilitators/facilitator-fault.ts'
import { BASE } from '../../../src/payments/networks/base.ts'
import type { GasLevel, SettlementState } from '../../../src/payments/ports/own-settlement.ts'
import { createMemoryChain } from '../../support/memory-chain/memory-chain.ts'
import { createMemoryChainReader } from '../../support/memory-chain/memory-chain-reader.ts'

let health: PaymentHealth
let logged: object[]
afterEach(() => health.stop())

const OURS = { x402Version: 2, scheme: 'exact', network: 'eip155:8453' }

const start = (
  supported: () => Promise<unknown>,
  gasLevel?: () => Promise<GasLevel>,
  settlementState?: () => SettlementState,
  chain: ChainReader = createMemoryChainReader(createMemoryChain()),
) => {
  logged = []
  const note = (entry: object) => void logged.push(entry)
  health = createPaymentHealth({
    network: BASE,
    chain,
    facilitator: { getSupported: supported } as FacilitatorClient,
    ...(gasLevel === undefined ? {} : { gasLevel }),
    ...(settlementState === undefined ? {} : { settlementState }),
    log: { info: note, warn: note, error: note },
  })
}

describe('what stands in the way of payments', () => {
  test('is nothing while the facilitator settles our kind', async () => {
    let asked = 0
    start(async () => {
      asked += 1
      return { kinds: [OURS] }
    })
    await expect.poll(() => asked).toBe(1)
    await health.firstPoll
    expect(health.troubles()).toEqual([])
    expect(health.pausedBy()).toBeNull()
    expect(logged).toEqual([])
  })

  test('is a facilitator that no longer does: money is paused, with a clear line', async () => {
    start(async () => ({ kinds: [{ ...OURS, network: 'eip155:84532' }] }))
    await expect.poll(() => health.troubles()).toEqual(['facilitator_unsupported'])
    expect(health.pausedBy()).toBe('facilitator_unavailable')
    expect(logged).toEqual([{ event: 'facilitator_unsupported', setting: 'FACILITATOR_URL' }])
  })

  test('is one that does not answer, but the next payment is tried all the same', async () => {
    start(() => Promise.reject(new FacilitatorFault('not_sent', 'otherwise', { symptom: { status: 401 } })))
    await expect.poll(() => health.troubles()).toEqual(['facilitator_silent'])
    expect(health.pausedBy()).toBeNull()
    expect(logged).toEqual([{ event: 'facilitator_silent', setting: 'FACILITATOR_URL', status: 401 }])
  })

  test('is a node that does not answer: the node is named, and not the facilitator', async () => {
    const away = { head: () => Promise.reject(new ChainUnavailable('down')) } as Partial<ChainReader>
    start(async () => ({ kinds: [OURS] }), undefined, undefined, away as ChainReader)
    await health.firstPoll
    expect(health.troubles()).toEqual(['chain_unavailable'])
    expect(health.pausedBy()).toBe('chain_unavailable')
    expect(logged).toEqual([{ event: 'chain_down', setting: 'RPC_URL' }])
  })

  test.each([
    ['empty', 0, 'settlement_account_empty', 'sales_paused'],
    ['low', 499, 'settlement_account_low', null],
  ] as const)('is a settlement account that is %s', async (_what, settlementsLeft, trouble, pause) => {
    start(
      async () => ({ kinds: [OURS] }),
      async () => ({ settlementsLeft, cost: 1n }),
    )
    await expect.poll(() => health.troubles()).toEqual([trouble])
    expect(health.pausedBy()).toBe(pause)
    expect(logged).toContainEqual({ event: trouble, setting: 'SETTLEMENT_KEY' })
    expect(health.gauges()).toMatchObject({ settlementsLeft, settlementsPending: null })
  })
  test('is gas that costs more than allowed, until it does not', async () => {
    const state = {
      pending: 3,
      isTooExpensive: true,
      dailyLoss: 5_000_000n,
      isSpent: false,
      isBelowCost: false,
      gasPerSale: () => null,
      batches: new Map(),
    }
    start(
      async () => ({ kinds: [OURS] }),
      undefined,
      () => state,
    )
    await health.firstPoll
    expect(health.troubles()).toEqual(['settlement_too_expensive'])
    expect(health.pausedBy()).toBe('sales_paused')
    expect(health.gauges()).toMatchObject({ settlementsLeft: null, settlementsPending: 3 })
    state.isTooExpensive = false
    expect(health.pausedBy()).toBeNull()
  })
})

test('the time of several chains is that of the one furthest behind, and not known before all are', () => {
  expect([[3, 2], [3, null], [1]].map(earliestOf)).toEqual([2, null, 1])
})
