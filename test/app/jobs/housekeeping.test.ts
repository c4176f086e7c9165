import { expect, test } from 'vitest'
import { runHousekeeping } from '../../../src/app/jobs/start-loops.ts'
import type { Ledger } from '../../../src/ledger/ledger.ts'
import { StoreUnavailable } from '../../../src/ledger/store/store-unavailable.ts'
import { createLog } from '../../../src/log.ts'

const clocks = (now: number, chainTime: number | null = now) => ({
  now: () => now,
  chainTime: () => chainTime,
})

test('a store that does not answer is left for the next turn, and said once per turn', async () => {
  const lines: string[] = []
  const log = createLog({ level: 'info', write: (line) => lines.push(line) })
  const purged: number[] = []
  const ledger = {
    purge: async (now: number) => {
      if (purged.push(now) === 1) throw new StoreUnavailable('the secret name of the store')
    },
  } as unknown as Ledger
  await runHousekeeping(ledger, clocks(1_000), log)
  await runHousekeeping(ledger, clocks(2_000), log)
  expect(purged).toEqual([1_000, 2_000])
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain('"event":"housekeeping_failed"')
  expect(lines[0]).not.toContain('secret name')
})

test('a clock that is a day ahead of the chain deletes nothing early', async () => {
  const purged: number[] = []
  const ledger = { purge: async (now: number) => void purged.push(now) } as unknown as Ledger
  const log = createLog({ level: 'info', write: () => {} })
  await runHousekeeping(ledger, clocks(90_000_000, 3_600_000), log)
  await runHousekeeping(ledger, clocks(3_600_000, 90_000_000), log)
  expect(purged).toEqual([3_600_000, 3_600_000])
})

test('nothing is deleted before the chain has named the time', async () => {
  const purged: number[] = []
  const ledger = { purge: async (now: number) => void purged.push(now) } as unknown as Ledger
  const log = createLog({ level: 'info', write: () => {} })
  await runHousekeeping(ledger, clocks(90_000_000, null), log)
  expect(purged).toEqual([0])
})
