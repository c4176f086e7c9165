import { describe, expect, test } from 'vitest'
import { createSingleFlight } from '../../../src/payments/sale/single-flight.ts'
import { SALE_TIMING } from '../../../src/payments/sale/table/sale-context.ts'

const NEVER_MS = 3_600_000
const timing = { ...SALE_TIMING, waitMs: NEVER_MS }
const turn = (key: string, copy = 'same', payment = 'one') => ({ key, copy: () => copy, payment })
const flights = (turnMs = NEVER_MS) =>
  createSingleFlight<string>({ timing, turnMs, mostFollowers: 2, mostRuns: 3 })

describe('runs under way', () => {
  test('are shared by those who come meanwhile, up to a number', async () => {
    const { run } = flights()
    const held = Promise.withResolvers<string>()
    const leader = run(turn('a'), () => held.promise)
    const followers = [run(turn('a'), async () => 'other'), run(turn('a'), async () => 'other')]
    expect(await run(turn('a'), async () => 'other')).toEqual({ kind: 'late' })
    held.resolve('first')
    expect(await leader).toEqual({ kind: 'led', result: 'first' })
    for (const follower of followers) expect(await follower).toEqual({ kind: 'followed', result: 'first' })
  })

  test('are no more than they may be, and room is made by each that ends', async () => {
    const { run } = flights()
    const held = Promise.withResolvers<string>()
    const running = ['a', 'b', 'c'].map((key) => run(turn(key), () => held.promise))
    let began = false
    const crowded = await run(turn('d'), async () => {
      began = true
      return 'late'
    })
    expect([crowded, began]).toEqual([{ kind: 'late' }, false])
    held.resolve('done')
    await Promise.all(running)
    expect(await run(turn('d'), async () => 'now')).toEqual({ kind: 'led', result: 'now' })
  })

  test('of other requests under the same key are waited for, in the order of arrival', async () => {
    const { run } = flights()
    const held = Promise.withResolvers<string>()
    const order: string[] = []
    const work = (name: string) => async () => {
      order.push(name)
      return name
    }
    const first = run(turn('a', 'one'), () => held.promise)
    const rest = [run(turn('a', 'two'), work('two')), run(turn('a', 'three'), work('three'))]
    expect(order).toEqual([])
    held.reject(new Error('no'))
    await expect(first).rejects.toThrow('no')
    expect(await Promise.all(rest)).toEqual([
      { kind: 'led', result: 'two' },
      { kind: 'led', result: 'three' },
    ])
    expect(order).toEqual(['two', 'three'])
  })

  test.each([0, 1])('with another payment are not waited for longer than a turn of %d ms', async (turnMs) => {
    const { run } = flights(turnMs)
    const held = Promise.withResolvers<string>()
    const first = run(turn('a', 'one'), () => held.promise)
    expect(await run(turn('a', 'two', 'other'), async () => 'two')).toEqual({ kind: 'late' })
    const same = run(turn('a', 'two'), async () => 'two')
    held.resolve('done')
    expect(await first).toEqual({ kind: 'led', result: 'done' })
    // What the payment has paid for is known only now.
    expect(await same).toEqual({ kind: 'led', result: 'two' })
  })

  test('that are over end the wait for them, and its timer', async () => {
    const given = new AbortController()
    const sleep = SALE_TIMING.sleep(NEVER_MS, given.signal)
    given.abort()
    await expect(sleep).rejects.toMatchObject({ name: 'AbortError' })
  })

  test('that fail leave nothing behind', async () => {
    const { run } = flights()
    await expect(run(turn('a'), () => Promise.reject(new Error('no')))).rejects.toThrow('no')
    expect(await run(turn('a'), async () => 'again')).toEqual({ kind: 'led', result: 'again' })
  })
})
