import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { startRecoveryLoop } from '../../../src/app/jobs/recovery-loop.ts'
import type { IncomingTransfer } from '../../../src/payments/chain/chain-reader.ts'
import { BASE } from '../../../src/payments/networks/base.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const HASH = `0x${'12'.repeat(32)}` as const
const transfer = (logIndex: number): IncomingTransfer => ({
  ...{ transaction: HASH, logIndex, blockNumber: 1_001n, from: `0x${'cd'.repeat(20)}`, amount: 5n },
  nonce: null,
})

/** A store without rows, whose position is at the newest block. */
const IDLE = {
  acquireLock: async () => true,
  releaseLock: async () => {},
  unresolved: async () => [],
  unaudited: async () => [],
  ensureFact: async () => '1500',
}
const head = async () => ({ number: 1_500n, timestamp: 0 })
const start = (ledger: object, chain: object, more: object = {}) =>
  startRecoveryLoop({
    ...{ ledger, chain: { finalityDepth: 0n, ...chain }, now: Date.now, owner: 'boot-1' },
    payee: { network: BASE.id, asset: '0xaa', payTo: '0xbb' },
    ...more,
  } as never)

test('the rows of a backlog are looked at one after the other, ten milliseconds apart', async () => {
  const at: number[] = []
  const rows = Array.from({ length: 20 }, (_, index) => ({
    ...{ network: BASE.id, payer: `0x${'cd'.repeat(20)}`, nonce: `0x${'12'.repeat(31)}${index + 10}` },
    ...{ claimedAt: 0, claimedBlock: 1n, validBefore: 0, settledAt: 0, transaction: HASH },
  }))
  const move = async (row: unknown) => row
  const ledger = { ...IDLE, unaudited: async () => rows, move, moveUnflushed: move }
  const chain = {
    head,
    block: async (number: bigint) => ({ number, timestamp: 0 }),
    trace: async () => {
      at.push(performance.now())
      return { kind: 'used', payments: [{ transaction: HASH, logIndex: 0, blockNumber: 9n }], elsewhere: [] }
    },
  }
  const loop = start(ledger, chain)
  await vi.advanceTimersByTimeAsync(1_000)
  expect(at).toHaveLength(rows.length)
  for (const [index, each] of at.slice(1).entries()) expect(each - at[index]!).toBeGreaterThanOrEqual(10)
  await loop.stop()
})

test('a transfer without a row is reported once, though its position is not written for a while', async () => {
  let position = '1000'
  const faults = [new Error('the store is away'), new Error('the store is away')]
  const found = [transfer(0), transfer(2)]
  const ledger = {
    ...IDLE,
    ensureFact: async () => position,
    replaceFact: async (_name: string, _seen: string, next: string) => {
      const fault = faults.shift()
      if (fault !== undefined) throw fault
      position = next
      return next
    },
  }
  const chain = {
    head,
    transfersTo: async (_payee: string, from: bigint, toBlock: bigint) => ({
      transfers: from === 1_001n ? found : [],
      toBlock,
    }),
  }
  const lines: unknown[][] = []
  const told = vi.fn()
  const log = (...line: unknown[]) => void lines.push(line)
  const loop = start(ledger, chain, {
    log: { info: log, warn: log, error: log },
    onUnknownTransfer: told,
  })
  for (let run = 0; run < 3; run += 1) await vi.advanceTimersByTimeAsync(60_000)
  expect(position).toBe('1500')
  expect(told).toHaveBeenCalledTimes(2)
  const line = [{ event: 'transfer_without_row', transaction: HASH }, 'audit']
  expect(lines.filter(([, source]) => source === 'audit')).toEqual([line, line])
  found.push(transfer(4))
  position = '1000'
  await vi.advanceTimersByTimeAsync(60_000)
  expect(told).toHaveBeenCalledTimes(3)
  await loop.stop()
})
