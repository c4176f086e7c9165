import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { watchChain } from '../../src/app/chain-watch.ts'
import { type ChainReader, ChainUnavailable } from '../../src/payments/chain/chain-reader.ts'

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
  const watch = watchChain(chain, (up) => told.push(up))
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
