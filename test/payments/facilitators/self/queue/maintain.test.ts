import { custom } from 'viem'
import { afterEach, expect, test, vi } from 'vitest'
import type { PendingTransaction } from '../../../../../src/payments/facilitators/self/queue/settlement-journal.ts'
import { createSelfFacilitator } from '../../../../../src/payments/facilitators/self/self-facilitator.ts'
import { freshAccount } from '../../../../support/chain-payments.ts'

afterEach(() => void vi.useRealTimers())

test('late transactions are looked after by one run at a time while the node does not answer', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const pending: PendingTransaction = { nonce: 0, hashes: ['0x01'], raw: '0x02', sentAt: 0, expiresAt: 0 }
  const look = vi.fn(async () => [pending])
  const facilitator = createSelfFacilitator({
    account: freshAccount(),
    chainId: 8453,
    finalityDepth: 0n,
    token: freshAccount().address,
    rpcUrls: [],
    transport: custom({ request: () => new Promise(() => {}) }),
    journal: { look, load: look, save: async () => {} },
  })
  for (let turn = 0; turn < 4; turn += 1) {
    await vi.advanceTimersByTimeAsync(5_000)
    await new Promise(setImmediate)
  }
  // Once to see that something is pending, and once under the lock.
  expect(look).toHaveBeenCalledTimes(2)
  facilitator.close()
})

test('a transaction is late six seconds after it was broadcast, and then offered again', async () => {
  const account = freshAccount()
  let now = 1_700_000_000_000
  const raw = await account.signTransaction({
    ...{ type: 'eip1559', chainId: 8453, nonce: 0, gas: 21_000n, to: account.address, data: '0x12' },
    ...{ maxFeePerGas: 2n, maxPriorityFeePerGas: 1n },
  })
  let entries: readonly PendingTransaction[] = [
    { nonce: 0, hashes: [`0x${'12'.repeat(32)}`], raw, sentAt: now, expiresAt: 2_000_000_000 },
  ]
  const offered: unknown[] = []
  const facilitator = createSelfFacilitator({
    ...{ account, chainId: 8453, finalityDepth: 0n, token: freshAccount().address, rpcUrls: [] },
    transport: custom({
      request: async ({ method, params }: { method: string; params: readonly unknown[] }) => {
        if (method === 'eth_getTransactionCount') return '0x0'
        if (method === 'eth_getBlockByNumber') return { number: '0x1', timestamp: '0x1', transactions: [] }
        if (method === 'eth_sendRawTransaction') return void offered.push(params[0])
        return null
      },
    }),
    clock: { now: () => now, monotonicMs: () => now, sleep: async () => {} },
    journal: {
      look: async () => entries,
      load: async () => entries,
      save: async (pending) => {
        entries = pending
      },
    },
  })
  now += 5_999
  await facilitator.maintain()
  expect(offered).toEqual([])
  now += 1
  await facilitator.maintain()
  expect(offered).toEqual([raw])
  facilitator.close()
})
