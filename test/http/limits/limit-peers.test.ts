import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type ReplicaChannel, shareLimits } from '../../../src/app/jobs/share-limits.ts'
import { limitPeers } from '../../../src/http/limits/limit-peers.ts'
import { unpaidLimiter } from '../../../src/http/limits/unpaid-limiter.ts'
import { requestFrom } from '../http-harness.ts'

const A = requestFrom('192.0.2.1')
const B = requestFrom('192.0.2.2')
const LIMIT = 16

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** Replicas on one channel that delivers at once; each turn of a replica informs the others. */
function fleet(size: number) {
  const listeners: ((text: string) => void)[] = []
  const sent: string[] = []
  const replicas = Array.from({ length: size }, (_, index) => {
    const channel: ReplicaChannel = {
      send: (text) => {
        sent.push(text)
        for (const listener of listeners) listener(text)
      },
      listen: (onMessage) => listeners.push(onMessage),
    }
    const peers = limitPeers()
    const limiter = unpaidLimiter({
      perMinute: LIMIT,
      trustedProxies: 0,
      shared: { peers, nameOf: (key) => `mac-of-${key.length}-${key.at(-1)}` },
    })
    const turn = shareLimits({ channel, peers, report: limiter.report, replica: `replica-${index}` })
    return { limiter, turn, receive: (text: string) => listeners[index]?.(text) }
  })
  return { replicas, sent, turn: async () => void (await Promise.all(replicas.map((each) => each.turn()))) }
}

test('an address that spreads its requests over replicas is held back by all of them', async () => {
  const { replicas, turn } = fleet(4)
  for (const { limiter } of replicas) for (let n = 0; n < LIMIT / 4; n += 1) limiter.hit(A)
  for (const { limiter } of replicas) expect(limiter.blocked(A)).toBeUndefined()
  await turn()
  for (const { limiter } of replicas) {
    expect(limiter.blocked(A)).toBe(60)
    expect(limiter.blocked(B)).toBeUndefined()
    expect(limiter.blocked(A, 'payment')).toBeUndefined()
  }
  vi.advanceTimersByTime(60_000)
  for (const { limiter } of replicas) expect(limiter.blocked(A)).toBeUndefined()
})

test('what is repeated is not counted twice, and no replica counts its own report', async () => {
  const { replicas, turn } = fleet(2)
  const [first, second] = replicas
  for (let n = 0; n < LIMIT / 2; n += 1) first?.limiter.hit(A)
  for (let n = 0; n < 5; n += 1) await turn()
  expect(first?.limiter.blocked(A)).toBeUndefined()
  expect(second?.limiter.blocked(A)).toBeUndefined()
})

test('ordinary traffic is not shared, and no address is sent', async () => {
  const { replicas, sent, turn } = fleet(2)
  replicas[0]?.limiter.hit(A)
  await turn()
  expect(sent).toEqual([])
  for (let n = 0; n < 4; n += 1) replicas[0]?.limiter.hit(A)
  await turn()
  expect(sent).toHaveLength(1)
  expect(sent[0]).not.toContain('192.0.2')
})

test('messages stay short, however many addresses there are', async () => {
  const { replicas, sent, turn } = fleet(1)
  for (let n = 0; n < 500; n += 1)
    for (let hit = 0; hit < 2; hit += 1)
      replicas[0]?.limiter.hit(requestFrom(`10.0.${n >> 8}.${n & 255}`), 'payment')
  await turn()
  expect(sent.length).toBeGreaterThan(1)
  for (const text of sent) expect(Buffer.byteLength(text)).toBeLessThan(8_000)
})

test.each([
  '',
  '{}',
  'null',
  '[1]',
  '["x",[9,"a",1,1]]',
  '["x",[0,1,1,1]]',
  '["x",[0,"a",-1,1]]',
  '["x",null]',
])('a message that is not one of ours changes nothing: %s', (text) => {
  const { replicas } = fleet(1)
  expect(() => replicas[0]?.receive(text)).not.toThrow()
  expect(replicas[0]?.limiter.blocked(A)).toBeUndefined()
})
