import { describe, expect, test } from 'vitest'
import { createSingleFlight } from '../../../src/payments/sale/single-flight.ts'
import { SALE_TIMING } from '../../../src/payments/sale/table/sale-context.ts'

const NEVER_MS = 3_600_000
const { sleep } = SALE_TIMING
const flights = () => createSingleFlight<string>({ waitMs: NEVER_MS, sleep, mostFollowers: 2, mostRuns: 3 })

describe('runs under way', () => {
  test('are shared by those who come meanwhile, up to a number', async () => {
    const { run } = flights()
    const held = Promise.withResolvers<string>()
    const leader = run('a', () => held.promise)
    const followers = [run('a', async () => 'other'), run('a', async () => 'other')]
    expect(await run('a', async () => 'other')).toEqual({ kind: 'crowded' })
    held.resolve('first')
    expect(await leader).toEqual({ kind: 'led', result: 'first' })
    for (const follower of followers) expect(await follower).toEqual({ kind: 'followed', result: 'first' })
  })

  test('are no more than they may be, and room is made by each that ends', async () => {
    const { run } = flights()
    const held = Promise.withResolvers<string>()
    const running = ['a', 'b', 'c'].map((key) => run(key, () => held.promise))
    let began = false
    const crowded = await run('d', async () => {
      began = true
      return 'late'
    })
    expect([crowded, began]).toEqual([{ kind: 'crowded' }, false])
    held.resolve('done')
    await Promise.all(running)
    expect(await run('d', async () => 'now')).toEqual({ kind: 'led', result: 'now' })
  })

  test('that fail leave nothing behind', async () => {
    const { run } = flights()
    await expect(run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await run('a', async () => 'again')).toEqual({ kind: 'led', result: 'again' })
  })
})
