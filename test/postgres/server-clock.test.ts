import { afterEach, expect, test, vi } from 'vitest'
import { openPostgresLedger } from '../../src/ledger/postgres/postgres-ledger.ts'
import { testDatabases } from '../support/test-databases.ts'

const TWO_HOURS_MS = 7_200_000

const databases = testDatabases()
afterEach(() => vi.useRealTimers())

test.each([
  TWO_HOURS_MS,
  -TWO_HOURS_MS,
])('a replica whose clock is off by %d ms goes by the time of the server, as the others do', async (shift) => {
  const url = await databases.fresh()
  const right = await openPostgresLedger({ url })
  const real = Date.now()
  vi.useFakeTimers({ toFake: ['Date'], now: real + shift })
  const shifted = await openPostgresLedger({ url })
  expect(Math.abs(Date.now() - real)).toBeGreaterThanOrEqual(TWO_HOURS_MS - 60_000)
  expect(Math.abs(shifted.clock.now() - right.clock.now())).toBeLessThan(60_000)
  await Promise.all([right.close(), shifted.close()])
})
