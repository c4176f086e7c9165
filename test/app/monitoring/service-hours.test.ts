import { expect, test } from 'vitest'
import { createServiceHours } from '../../../src/app/monitoring/service-hours.ts'
import { StoreUnavailable } from '../../../src/ledger/store/store-unavailable.ts'

const SEVEN = Date.parse('2026-11-20T07:59:30Z')

/** A store that may be away and lets one owner hold a minute, as the ledger does. */
function stage() {
  const state = { now: SEVEN, away: false }
  const written: [string, Record<string, number>][] = []
  let held = { owner: '', until: 0 }
  const ledger = {
    acquireLock: async (_name: string, owner: string, now: number, until: number) => {
      if (state.away) throw new StoreUnavailable('away')
      if (held.owner !== owner && held.until > now) return false
      held = { owner, until }
      return true
    },
    addServiceHour: async (hour: string, counts: ReadonlyMap<string, number>) => {
      if (state.away) throw new StoreUnavailable('away')
      written.push([hour, Object.fromEntries(counts)])
    },
  }
  const replica = (owner: string) => createServiceHours({ ledger, owner, now: () => state.now })
  return { state, written, replica }
}

test('paid calls are counted as answered, with their time, or as failed', async () => {
  const { written, replica } = stage()
  const hours = replica('a')
  hours.ended('sold', 250)
  hours.ended('replayed', 251)
  hours.ended('refused', 1_000)
  hours.ended('declined', 5_000)
  hours.ended('sold', 5_001)
  for (const outcome of ['in_doubt', 'unavailable', 'error'] as const) hours.ended(outcome, 10)
  await hours.flush()
  await hours.flush()
  const counts = {
    answered: 5,
    sold: 2,
    failed: 3,
    within_250_ms: 1,
    within_1_s: 2,
    within_5_s: 1,
    minutes: 1,
  }
  expect(written).toEqual([['2026-11-20T07', counts]])
})

test('a minute is counted by one of the replicas, once', async () => {
  const { state, written, replica } = stage()
  const [one, other] = [replica('a'), replica('b')]
  for (let run = 0; run < 8; run++) {
    await Promise.all([one.flush(), other.flush()])
    state.now += 15_000
  }
  expect(written.map(([hour, { minutes }]) => [hour, minutes])).toEqual([
    ['2026-11-20T07', 1],
    ['2026-11-20T08', 1],
    ['2026-11-20T08', 1],
  ])
})

test('what a store that is away did not take is written later, under its own hour, and its minute is not up', async () => {
  const { state, written, replica } = stage()
  const hours = replica('a')
  hours.ended('unavailable', 10)
  state.away = true
  await hours.flush()
  hours.ended('unavailable', 10)
  await hours.flush()
  state.now += 60_000
  hours.ended('sold', 10)
  state.away = false
  await hours.flush()
  expect(written).toEqual([
    ['2026-11-20T07', { failed: 2 }],
    ['2026-11-20T08', { answered: 1, sold: 1, within_250_ms: 1, minutes: 1 }],
  ])
})

test('a write that fails after the minute was counted loses nothing', async () => {
  const { state, written, replica } = stage()
  const hours = replica('a')
  hours.ended('sold', 10)
  const away = hours.flush()
  state.away = true
  await away
  hours.ended('sold', 10)
  state.away = false
  await hours.flush()
  expect(written).toEqual([['2026-11-20T07', { answered: 2, sold: 2, within_250_ms: 2, minutes: 1 }]])
})
