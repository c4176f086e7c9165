import { expect, test } from 'vitest'
import { createPaidCalls } from '../../../src/payments/sale/paid-calls.ts'

const HOUR_MS = 3_600_000

/** Acts that end when the test says so. */
function heldAct() {
  const calls = createPaidCalls()
  const ends: PromiseWithResolvers<string>[] = []
  const act = calls.count((_value: string) => {
    const end = Promise.withResolvers<string>()
    ends.push(end)
    return end.promise
  })
  return { calls, ends, act }
}

test('without a call under way it is finished at once', async () => {
  await heldAct().calls.finish(HOUR_MS)
})

test('it waits for every call, also for one that fails and one that began meanwhile', async () => {
  const { calls, ends, act } = heldAct()
  const [first, second] = [act('1'), act('2')]
  const order: string[] = []
  const finished = calls.finish(HOUR_MS).then(() => order.push('finished'))
  const third = act('3')
  for (const [index, call] of [first, second, third].entries())
    call.then(
      () => order.push(`${index} sold`),
      () => order.push(`${index} failed`),
    )
  ends[2]?.resolve('')
  await third
  ends[0]?.reject(new Error('no store'))
  await first.catch(() => {})
  expect(order).toEqual(['2 sold', '0 failed'])
  ends[1]?.resolve('')
  await finished
  expect(order.slice(2).sort()).toEqual(['1 sold', 'finished'])
})

test('it waits no longer than its grace', async () => {
  const { calls, ends, act } = heldAct()
  const open = act('1')
  await calls.finish(0)
  ends[0]?.resolve('sold')
  expect(await open).toBe('sold')
})

test('a call after the end is refused and not begun', async () => {
  const { calls, ends, act } = heldAct()
  await calls.finish(0)
  expect(await act('1')).toMatchObject({ kind: 'declined', code: 'shutting_down' })
  expect(ends).toEqual([])
})
