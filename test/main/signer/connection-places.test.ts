import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { connectionPlaces } from '../../../src/main/signer/connection-places.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
afterEach(() => void vi.useRealTimers())

function clientsOf(places: ReturnType<typeof connectionPlaces>) {
  const ended: string[] = []
  const connect = (name: string) => {
    const place = places.take({
      destroy() {
        ended.push(name)
        place.leave()
      },
    })
    return place
  }
  return { ended, connect }
}

test('a client that asks nothing is disconnected after its time, one that asks is not', () => {
  const { ended, connect } = clientsOf(connectionPlaces(4, 10_000))
  const busy = connect('busy')
  connect('idle')
  vi.advanceTimersByTime(9_000)
  busy.note()
  vi.advanceTimersByTime(1_000)
  expect(ended).toEqual(['idle'])
  vi.advanceTimersByTime(9_000)
  expect(ended).toEqual(['idle', 'busy'])
})

test('a new client gets the place of the quietest, and never that of the oldest', () => {
  const { ended, connect } = clientsOf(connectionPlaces(3, 10_000))
  connect('oldest')
  vi.advanceTimersByTime(1)
  const second = connect('second')
  vi.advanceTimersByTime(1)
  connect('third')
  vi.advanceTimersByTime(1)
  second.note()
  connect('fourth')
  expect(ended).toEqual(['third'])
  connect('fifth')
  connect('sixth')
  expect(ended).not.toContain('oldest')
})

test('one that left takes no place', () => {
  const { ended, connect } = clientsOf(connectionPlaces(2, 10_000))
  connect('oldest')
  connect('gone').leave()
  connect('new')
  expect(ended).toEqual([])
})
