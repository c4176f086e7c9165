import { expect, test } from 'vitest'
import { refreshChannel } from '../../../src/payments/channels/claims/refresh-channel.ts'
import { newChannel } from '../../ledger/channel-contract.ts'

test('a row that calls change all the time is tried five times and left as it is', async () => {
  const row = newChannel()
  let reads = 0
  const reading = {
    ledger: { findChannel: async () => row, moveChannel: async () => null },
    reader: {
      state: async () => {
        reads += 1
        return { ...row, totalClaimed: 1_000n }
      },
    },
    now: () => 1_000,
  }
  expect(await refreshChannel(reading as never, row as never)).toBe(row)
  expect(reads).toBe(5)
})
