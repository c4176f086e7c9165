import { custom } from 'viem'
import { afterEach, expect, test, vi } from 'vitest'
import { createSelfFacilitator } from '../../../../src/payments/facilitators/self/self-facilitator.ts'
import type { PendingTransaction } from '../../../../src/payments/facilitators/self/settlement-journal.ts'
import { freshAccount } from '../../../support/chain-payments.ts'

afterEach(() => void vi.useRealTimers())

test('late transactions are looked after by one run at a time while the node does not answer', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const pending: PendingTransaction = { nonce: 0, hashes: ['0x01'], raw: '0x02', sentAt: 0, expiresAt: 0 }
  const look = vi.fn(async () => [pending])
  const facilitator = createSelfFacilitator({
    account: freshAccount(),
    chainId: 8453,
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
