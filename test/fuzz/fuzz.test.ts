import { expect, test } from 'vitest'
import { runCampaign } from './campaign.ts'
import { describeReport } from './describe-report.ts'
import { growth } from './flat.ts'

const SEED = 20_260_729
const SECONDS = 60

test('a minute of bad inputs breaks none of the rules that every answer keeps', async () => {
  const report = await runCampaign({ seed: SEED, seconds: SECONDS })
  console.log(describeReport(report))
  expect(report.findings).toEqual([])
  expect(report.charged).toBeGreaterThan(0)
  expect(report.verdicts).toBeLessThanOrEqual(report.charged)
  expect(report.inputs).toBeGreaterThan(1000)
  expect(growth(report.held, report.charged)).toEqual([])
})
