import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type ChainMonitor, type ChainState, monitorChain } from '../../../src/app/health/chain-monitor.ts'
import { ChainUnavailable } from '../../../src/payments/chain/chain-reader.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(async () => {
  await monitor.stop()
  vi.useRealTimers()
})

const LOOKS_WITHIN_MS = 10_000
const CHAIN_SECONDS = 1_800_000_000

let monitor: ChainMonitor
let reported: ChainState[]
const node = { mode: 'up' as 'up' | 'down' | 'wrong' | 'frozen', number: 1n }

let clockOff: number[]

const start = (now: () => number = () => CHAIN_SECONDS * 1_000) => {
  reported = []
  clockOff = []
  const head = async () => {
    if (node.mode === 'down') throw new ChainUnavailable('down')
    if (node.mode === 'wrong') throw new ChainUnavailable('wrong', { fault: 'wrong_chain' })
    if (node.mode === 'up') node.number += 1n
    return { number: node.number, timestamp: CHAIN_SECONDS }
  }
  monitor = monitorChain(
    { head },
    (state) => reported.push(state),
    now,
    (ms) => clockOff.push(ms),
  )
}
beforeEach(() => {
  node.mode = 'up'
})

test('nothing is known before the first answer, which nothing needs to wait for twice', async () => {
  start()
  expect([monitor.state(), monitor.head()]).toEqual(['unknown', null])
  await monitor.firstPoll
  expect([monitor.state(), monitor.head()]).toEqual(['up', node.number])
  expect(reported).toEqual([])
})

test('a node that is away when the process starts is reported, and so is its return', async () => {
  node.mode = 'down'
  start()
  await monitor.firstPoll
  expect(monitor.state()).toBe('no_answer')
  node.mode = 'up'
  await vi.advanceTimersByTimeAsync(LOOKS_WITHIN_MS)
  expect(monitor.state()).toBe('up')
  expect(reported).toEqual(['no_answer', 'up'])
})

test.each([
  ['a day ahead', 86_400_000, true],
  ['a day behind', -86_400_000, true],
  ['half a minute ahead', 30_000, false],
])('a clock that is %s is found at the first block', async (_what, byMs, isOff) => {
  start(() => CHAIN_SECONDS * 1_000 + byMs)
  await monitor.firstPoll
  expect(monitor.isClockOff()).toBe(isOff)
  await vi.advanceTimersByTimeAsync(LOOKS_WITHIN_MS)
  expect(monitor.isClockOff()).toBe(isOff)
  expect(clockOff).toEqual(isOff ? [byMs] : [])
})

test('a clock that is set while calls run is found, and forgiven once it is right', async () => {
  let at = CHAIN_SECONDS * 1_000
  start(() => at)
  await monitor.firstPoll
  expect(monitor.isClockOff()).toBe(false)
  for (const [byMs, isOff] of [
    [86_400_000, true],
    [0, false],
    [-600_000, true],
    [0, false],
  ] as const) {
    at = CHAIN_SECONDS * 1_000 + byMs
    // Before the next block: no payment is judged by a clock that was just moved.
    expect(monitor.isClockOff()).toBe(true)
    await vi.advanceTimersByTimeAsync(LOOKS_WITHIN_MS)
    expect(monitor.isClockOff()).toBe(isOff)
  }
})

test('a node of another chain differs from one that does not answer', async () => {
  node.mode = 'wrong'
  start()
  await monitor.firstPoll
  expect(monitor.state()).toBe('wrong_chain')
})

test('a node that stops answering is noticed, and so is its return; each is reported once', async () => {
  start()
  await vi.advanceTimersByTimeAsync(LOOKS_WITHIN_MS)
  node.mode = 'down'
  await vi.advanceTimersByTimeAsync(3 * LOOKS_WITHIN_MS)
  expect([monitor.state(), reported]).toEqual(['no_answer', ['no_answer']])
  node.mode = 'up'
  await vi.advanceTimersByTimeAsync(3 * LOOKS_WITHIN_MS)
  expect([monitor.state(), reported]).toEqual(['up', ['no_answer', 'up']])
})

test('a node that answers with the same block for 30 seconds has stalled, until it has a newer one', async () => {
  start()
  await monitor.firstPoll
  node.mode = 'frozen'
  await vi.advanceTimersByTimeAsync(20_000)
  expect(monitor.state()).toBe('up')
  await vi.advanceTimersByTimeAsync(20_000)
  expect(monitor.state()).toBe('stalled')
  node.mode = 'up'
  await vi.advanceTimersByTimeAsync(LOOKS_WITHIN_MS)
  expect(monitor.state()).toBe('up')
  expect(reported).toEqual(['stalled', 'up'])
})

test('a node that once names a block far too high counts as stalled for less than a minute, then its own blocks do', async () => {
  start()
  await monitor.firstPoll
  const { number } = node
  node.number = 10n ** 12n
  await vi.advanceTimersByTimeAsync(LOOKS_WITHIN_MS)
  node.number = number
  await vi.advanceTimersByTimeAsync(3 * LOOKS_WITHIN_MS)
  expect(reported).toContain('stalled')
  await vi.advanceTimersByTimeAsync(LOOKS_WITHIN_MS)
  expect([monitor.state(), monitor.head()]).toEqual(['up', node.number])
  expect(reported).toEqual(['stalled', 'up'])
})

test('the time is that of the chain, whatever our clock says; unknown before the first answer', async () => {
  start(() => 42)
  expect(monitor.time()).toBeNull()
  await monitor.firstPoll
  node.mode = 'frozen'
  const seen = monitor.time() ?? 0
  expect(seen).toBeGreaterThanOrEqual(CHAIN_SECONDS * 1000)
  await vi.advanceTimersByTimeAsync(5_000)
  expect((monitor.time() ?? 0) - seen).toBe(5_000)
  // A store takes whole milliseconds only.
  expect(Number.isInteger(monitor.time())).toBe(true)
})

test('a clock an hour from that of new blocks is reported once, and again after it was right', async () => {
  let off = -3_600_000
  start(() => CHAIN_SECONDS * 1_000 + off)
  await vi.advanceTimersByTimeAsync(3 * LOOKS_WITHIN_MS)
  expect(clockOff).toEqual([-3_600_000])
  off = 30_000
  await vi.advanceTimersByTimeAsync(LOOKS_WITHIN_MS)
  off = 86_400_000
  await vi.advanceTimersByTimeAsync(LOOKS_WITHIN_MS)
  expect(clockOff).toEqual([-3_600_000, 86_400_000])
})

test('how far our clock is ahead is known from the second block on, and not while the node is away', async () => {
  start(() => CHAIN_SECONDS * 1_000 + 90_000)
  await monitor.firstPoll
  expect(monitor.clockAheadMs()).toBeNull()
  await vi.advanceTimersByTimeAsync(LOOKS_WITHIN_MS)
  expect(monitor.clockAheadMs()).toBe(90_000)
  node.mode = 'down'
  await vi.advanceTimersByTimeAsync(LOOKS_WITHIN_MS)
  expect(monitor.clockAheadMs()).toBeNull()
})

test('a block that stays the newest says nothing about our clock', async () => {
  node.mode = 'frozen'
  start(() => CHAIN_SECONDS * 1_000 + 3_600_000)
  await vi.advanceTimersByTimeAsync(3 * LOOKS_WITHIN_MS)
  expect(clockOff).toEqual([])
})
