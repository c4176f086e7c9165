import { expect, test } from 'vitest'
import { runHousekeeping } from '../../../src/app/jobs/housekeeping.ts'
import type { Ledger } from '../../../src/ledger/ledger.ts'
import { StoreUnavailable } from '../../../src/ledger/store-unavailable.ts'
import { createLog } from '../../../src/log.ts'

test('a store that does not answer is left for the next turn, and said once per turn', async () => {
  const lines: string[] = []
  const log = createLog({ level: 'info', write: (line) => lines.push(line) })
  const purged: number[] = []
  const ledger = {
    purge: async (now: number) => {
      if (purged.push(now) === 1) throw new StoreUnavailable('the secret name of the store')
    },
  } as unknown as Ledger
  await runHousekeeping(ledger, () => 1_000, log)
  await runHousekeeping(ledger, () => 2_000, log)
  expect(purged).toEqual([1_000, 2_000])
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain('"event":"housekeeping_failed"')
  expect(lines[0]).not.toContain('secret name')
})
