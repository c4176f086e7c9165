import { expect, test } from 'vitest'
import { createLog } from '../../../src/log.ts'
import { openForeignFacilitator } from '../../../src/main/live/live-facilitator.ts'

test.each([
  [999n, []],
  [1_000n, ['sold_without_profit']],
])('a facilitator that asks %i millionths a sale is named at the start if that leaves nothing', async (fee, events) => {
  const lines: string[] = []
  const log = createLog({ level: 'info', write: (line) => void lines.push(line) })
  const config = { kind: 'http', url: 'http://127.0.0.1:1', credentials: { kind: 'none' }, fee } as const
  await openForeignFacilitator(config, log).close()
  expect(lines.map((line) => (JSON.parse(line) as { event: string }).event)).toEqual(events)
})
