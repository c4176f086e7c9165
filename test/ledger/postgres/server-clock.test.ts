import { afterEach, expect, test, vi } from 'vitest'
import { openServerClock } from '../../../src/ledger/postgres/server-clock.ts'

afterEach(() => void vi.useRealTimers())

test('the time of the server is that of the middle between question and answer, and goes on from there', async () => {
  vi.useFakeTimers({ toFake: ['performance'], now: 0 })
  vi.advanceTimersByTime(1_000)
  let ms = 50_000
  const rows = async () => {
    vi.advanceTimersByTime(600)
    await new Promise((resolve) => setImmediate(resolve))
    return [{ ms: String(ms) }]
  }
  const db = { rows } as never
  const clock = await openServerClock(db)
  expect(clock.now()).toBe(50_300)
  vi.advanceTimersByTime(10_000)
  expect(clock.now()).toBe(60_300)
  ms = 70_000
  await clock.sync(db)
  expect(clock.now()).toBe(70_300)
})
