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

test('a transfer without a row is reported once, though its position is not written for a while', async () => {
  let position = '1000'
  const faults = [new Error('the store is away'), new Error('the store is away')]
  const found = [transfer(0), transfer(2)]
  const ledger = {
    acquireLock: async () => true,
    releaseLock: async () => {},
    unresolved: async () => [],
    unaudited: async () => [],
    ensureFact: async () => position,
    replaceFact: async (_name: string, _seen: string, next: string) => {
      const fault = faults.shift()
      if (fault !== undefined) throw fault
      position = next
      return next
    },
  }
  const chain = {
    head: async () => ({ number: 1_500n, timestamp: 0 }),
    transfersTo: async (_payee: string, from: bigint) => (from === 1_001n ? found : []),
  }
  const lines: unknown[][] = []
  const told = vi.fn()
  const log = (...line: unknown[]) => void lines.push(line)
  const loop = startRecoveryLoop({
    ...{ ledger, chain, finalityDepth: 0n, now: Date.now, owner: 'boot-1' },
    payee: { network: BASE.id, asset: '0xaa', payTo: '0xbb' },
    log: { info: log, warn: log, error: log },
    onUnknownTransfer: told,
  } as never)
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
