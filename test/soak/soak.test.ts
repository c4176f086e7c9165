import { expect, test } from 'vitest'
import { growth } from '../fuzz/flat.ts'
import { runSoak } from './run-soak.ts'

const SECONDS = 45

test('sales and floods together leave nothing behind, and a shutdown in the middle of them loses nothing', async () => {
  const report = await runSoak({ seconds: SECONDS })
  const { held, latencies: _, ...rest } = report
  console.log(JSON.stringify(rest))
  expect(report.faults).toEqual([])
  expect(report.sales).toBeGreaterThan(0)
  expect(Object.keys(report.flood)).toContain('429')
  // Every payment is recorded, including those whose client has left.
  expect(report.charged).toBe(report.settled)
  expect(report.settled).toBeGreaterThanOrEqual(report.sales)
  expect(report.settled - report.sales).toBeLessThanOrEqual(report.lostAtShutdown)
  expect(growth(held, report.charged)).toEqual([])
})
