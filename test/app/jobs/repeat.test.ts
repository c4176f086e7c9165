import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { repeat } from '../../../src/app/jobs/repeat.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => vi.useRealTimers())

test('a task runs again after each pause, and the first time after one', async () => {
  let runs = 0
  const loop = repeat(1_000, async () => void runs++)
  await vi.advanceTimersByTimeAsync(999)
  expect(runs).toBe(0)
  await vi.advanceTimersByTimeAsync(1)
  expect(runs).toBe(1)
  await vi.advanceTimersByTimeAsync(3_000)
  expect(runs).toBe(4)
  await loop.stop()
})

test('a run that takes long is never doubled: the pause begins when it is over', async () => {
  const release = Promise.withResolvers<void>()
  let runs = 0
  const loop = repeat(1_000, () => {
    runs++
    return release.promise
  })
  await vi.advanceTimersByTimeAsync(10_000)
  expect(runs).toBe(1)
  release.resolve()
  await vi.advanceTimersByTimeAsync(999)
  expect(runs).toBe(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(runs).toBe(2)
  await loop.stop()
})

test('stopping waits for the run under way, and no other follows', async () => {
  const release = Promise.withResolvers<void>()
  let runs = 0
  const loop = repeat(1_000, () => {
    runs++
    return release.promise
  })
  await vi.advanceTimersByTimeAsync(1_000)
  let stopped = false
  const stopping = loop.stop().then(() => {
    stopped = true
  })
  await vi.advanceTimersByTimeAsync(0)
  expect(stopped).toBe(false)
  release.resolve()
  await stopping
  await vi.advanceTimersByTimeAsync(10_000)
  expect(runs).toBe(1)
})

test('stopping waits for no run that hangs, as for a node that does not answer', async () => {
  const loop = repeat(1_000, () => new Promise(() => {}))
  await vi.advanceTimersByTimeAsync(1_000)
  let stopped = false
  const stopping = loop.stop().then(() => {
    stopped = true
  })
  await vi.advanceTimersByTimeAsync(2_999)
  expect(stopped).toBe(false)
  await vi.advanceTimersByTimeAsync(1)
  await stopping
  expect(vi.getTimerCount()).toBe(0)
})
