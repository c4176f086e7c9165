import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { StoreUnavailable } from '../../../../src/ledger/store/store-unavailable.ts'
import { historyReader } from '../../../../src/surfaces/site/status/history.ts'

const NOW = Date.parse('2026-11-24T06:00:00Z')
const now = () => NOW
const serviceHistory = async () => ({
  days: new Map([
    ['2026-11-20', { answered: 3 }],
    ['2026-11-24', { minutes: 360 }],
  ]),
  lastSaleHour: '2026-11-20T07',
})

test('has ninety days up to today: unknown before the first count, empty where nothing was counted since', async () => {
  const { days, lastSaleHour } = await historyReader({
    ledger: { serviceHistory },
    now,
    incidentsFile: null,
  })()
  expect(days).toHaveLength(90)
  expect(days[0]).toEqual({ day: '2026-08-27', counts: null })
  expect(days.slice(-5).map(({ counts }) => counts)).toEqual([{ answered: 3 }, {}, {}, {}, { minutes: 360 }])
  expect(lastSaleHour).toBe('2026-11-20T07')
})

test('a store that does not answer leaves the days unknown', async () => {
  const away = () => Promise.reject(new StoreUnavailable('away'))
  const history = await historyReader({ ledger: { serviceHistory: away }, now, incidentsFile: null })()
  expect(history.days.every(({ counts }) => counts === null)).toBe(true)
  expect(history.lastSaleHour).toBeNull()
})

test('incidents are the lines of the operator’s file, read again after a minute; a missing file has none', async () => {
  const incidentsFile = join(mkdtempSync(join(tmpdir(), 'incidents-')), 'incidents.txt')
  const clock = { at: NOW }
  const read = historyReader({ ledger: { serviceHistory }, now: () => clock.at, incidentsFile })
  expect((await read()).incidents).toEqual([])
  writeFileSync(incidentsFile, ' 2026-11-20: paused for ten minutes \n\n2026-10-01: restored <b>\n')
  expect((await read()).incidents).toEqual([])
  clock.at += 60_000
  expect((await read()).incidents).toEqual(['2026-11-20: paused for ten minutes', '2026-10-01: restored <b>'])
  // A path that leads to something without an end takes neither time nor memory.
  writeFileSync(incidentsFile, `first\n${'an incident\n'.repeat(1_000_000)}`)
  clock.at += 60_000
  expect((await read()).incidents).toHaveLength(50)
  for (const endless of ['/dev/zero', tmpdir()])
    expect(
      (await historyReader({ ledger: { serviceHistory }, now, incidentsFile: endless })()).incidents,
    ).toEqual([])
})
