import { expect, test } from 'vitest'
import { availableOf, claimableOf, stateNow } from '../../../src/payments/channels/channel-balance.ts'
import { refreshChannel } from '../../../src/payments/channels/claims/refresh-channel.ts'
import { newChannel } from '../../support/channel-rows.ts'

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

const NOW = 1_000_000
const ROW = {
  ...newChannel({ readAt: NOW, balance: 9_000n, totalClaimed: 2_000n, charged: 3_000n }),
  ...{
    refundNonce: 4n,
    withdrawRequestedAt: 50,
    refunding: 0n,
    refunded: 0n,
    mismatches: 0,
    calls: 3,
    revision: 7,
  },
}
const { balance, totalClaimed, refundNonce, withdrawRequestedAt } = ROW
const STATE = { balance, totalClaimed, refundNonce, withdrawRequestedAt }

/** What is written and reported of a row, whose channel is so on the chain. */
async function refreshed(state: object, row: object = {}) {
  const [writes, events] = [[] as object[], [] as string[]]
  const before = { ...ROW, ...row }
  const after = await refreshChannel(
    {
      ledger: {
        findChannel: async () => before,
        moveChannel: async (seen: object, change: object) => {
          writes.push(change)
          return { ...seen, ...change }
        },
      },
      reader: { state: async () => ({ ...STATE, ...state }) },
      now: () => NOW,
      report: (event: string) => void events.push(event),
    } as never,
    before,
  )
  expect(after).toEqual({ ...before, ...writes[0] })
  return { writes, events }
}

test.each([
  { balance: 9_001n },
  { totalClaimed: 2_001n },
  { refundNonce: 5n },
  { withdrawRequestedAt: 0 },
  { withdrawRequestedAt: 51 },
])('what has changed on the chain is written: %o', async (change) => {
  expect((await refreshed(change)).writes).toEqual([{ ...STATE, ...change, refunding: 0n, readAt: NOW }])
})

test('what has not changed is written once a minute', async () => {
  const writesAfter = async (ms: number) => (await refreshed({}, { readAt: NOW - ms })).writes.length
  expect([await writesAfter(0), await writesAfter(59_999), await writesAfter(60_000)]).toEqual([0, 0, 1])
})

test.each([
  { totalClaimed: 1_999n },
  { refundNonce: 3n },
  { totalClaimed: 1_999n, refundNonce: 5n },
  { totalClaimed: 2_001n, refundNonce: 3n },
])('nothing is written of a state that is older than the row: %o', async (change) => {
  expect(await refreshed({ ...change, balance: 1n })).toEqual({ writes: [], events: [] })
})

test.each([
  { totalClaimed: 1_999n },
  { refundNonce: 3n },
])('after a day it is no older: the row was wrong: %o', async (change) => {
  const readAgo = async (ms: number) => (await refreshed(change, { readAt: NOW - ms })).writes
  expect(await readAgo(86_399_999)).toEqual([])
  expect(await readAgo(86_400_000)).toEqual([{ ...STATE, ...change, refunding: 0n, readAt: NOW }])
})

test.each([
  ['all that is charged is still there', 3_000n, 9_000n, []],
  ['a part of what is charged is gone', 2_999n, 9_000n, ['channel_voucher_lost']],
  ['it was exactly covered before', 2_999n, 3_000n, ['channel_voucher_lost']],
  ['that was known before', 2_998n, 2_999n, []],
])('a loss is reported once: %s', async (_what, now, before, events) => {
  expect((await refreshed({ balance: now }, { balance: before })).events).toEqual(events)
})

test('a refund counts until its nonce is used, and what it takes is not available', () => {
  const refunding = { ...ROW, refunding: 700n }
  expect(stateNow(refunding, STATE)).toEqual({ ...STATE, refunding: 700n })
  expect(stateNow({ ...ROW, refunding: 1n }, STATE).refunding).toBe(1n)
  expect(stateNow(refunding, { ...STATE, refundNonce: 5n }).refunding).toBe(0n)
  expect([stateNow(ROW, STATE).refunding, stateNow(null, STATE).refunding]).toEqual([0n, 0n])
  expect(availableOf(refunding)).toBe(8_300n)
  expect(claimableOf(ROW)).toBe(3_000n)
  expect(claimableOf({ ...ROW, balance: 2_999n })).toBe(2_999n)
})
