import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { monitorChain } from '../../../src/app/health/chain-monitor.ts'
import { type ChainReader, ChainUnavailable } from '../../../src/payments/chain/chain-reader.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

const LOOKS_WITHIN_MS = 15_000

test('a node that stops answering is noticed, and so is its return; each is told once', async () => {
  const node = { up: true }
  const told: boolean[] = []
  const chain = {
    head: async () => {
      if (node.up) return { number: 1n, timestamp: 1 }
      throw new ChainUnavailable('down')
    },
  } as unknown as ChainReader
  const watch = monitorChain(chain, (up) => told.push(up))
  expect(watch.isUp()).toBe(true)
  await vi.advanceTimersByTimeAsync(LOOKS_WITHIN_MS)
  expect([watch.isUp(), told]).toEqual([true, []])

  node.up = false
  await vi.advanceTimersByTimeAsync(3 * LOOKS_WITHIN_MS)
  expect([watch.isUp(), told]).toEqual([false, [false]])

  node.up = true
  await vi.advanceTimersByTimeAsync(3 * LOOKS_WITHIN_MS)
  expect([watch.isUp(), told]).toEqual([true, [false, true]])
  await watch.stop()
})

test('the time is that of the chain, whatever our clock says; ours before the first look', async () => {
  const CHAIN_SECONDS = 1_800_000_000
  const chain = {
    head: async () => ({ number: 1n, timestamp: CHAIN_SECONDS }),
  } as unknown as ChainReader
  const watch = monitorChain(
    chain,
    () => {},
    () => 42,
  )
  expect(watch.time()).toBe(42)
  await vi.advanceTimersByTimeAsync(1)
  const seen = watch.time()
  expect(seen).toBeGreaterThanOrEqual(CHAIN_SECONDS * 1000)
  await vi.advanceTimersByTimeAsync(5_000)
  expect(watch.time() - seen).toBe(5_000)
  // A store takes whole milliseconds only.
  expect(Number.isInteger(watch.time())).toBe(true)
  await watch.stop()
})
