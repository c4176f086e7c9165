import { afterEach, expect, test, vi } from 'vitest'
import { ERRORS, type ErrorCode } from '../../../../src/errors.ts'
import { type Reply, refusedOrRetry } from '../../src/buyer/reply.ts'
import { retry } from '../../src/buyer/retry.ts'

const reply = (code: string, status: number, retryAfter?: number): Reply =>
  refusedOrRetry({ status, code, detail: '' }, retryAfter)

/** Plays replies in order and then repeats the last one; an Error is a lost connection. */
async function play(...replies: (Reply | Error)[]) {
  const waits: number[] = []
  let sent = 0
  const outcome = await retry(
    async () => {
      const next = replies[Math.min(sent++, replies.length - 1)]
      if (next instanceof Error || next === undefined) throw next
      return next
    },
    {
      sends: 6,
      sleep: async (milliseconds) => {
        waits.push(milliseconds)
      },
    },
  )
  return { outcome, waits, sent }
}

test('a refusal is final', async () => {
  expect(await play(reply('payment_expired', 402))).toMatchObject({ outcome: { kind: 'refused' }, sent: 1 })
})

test.each(
  (Object.keys(ERRORS) as ErrorCode[]).filter((code) => ERRORS[code].retry === 'unchanged'),
)('%s is sent again, as the service says', (code) => {
  expect(reply(code, ERRORS[code].status)).toMatchObject({ kind: 'retry' })
})

test('waits as long as Retry-After says, up to half a minute', async () => {
  const { waits } = await play(
    reply('payment_in_doubt', 503, 7),
    reply('payment_in_doubt', 503, 86_400),
    reply('payment_expired', 402),
  )
  expect(waits).toEqual([7_000, 30_000])
})

test('waits longer each time without Retry-After', async () => {
  const { waits, sent } = await play(new Error('reset'))
  expect([waits, sent]).toEqual([[1_000, 2_000, 4_000, 8_000, 16_000], 6])
})

test.each<[string | number | null | undefined, number?]>([
  ['7', 7],
  [7, 7],
  ['123456', 123_456],
  [''],
  ['-5'],
  ['1.5'],
  ['7s'],
  ['x7'],
  [null],
  [undefined],
])('a wait of %j is read as %s seconds', (said, retryAfterSeconds) => {
  const refusal = { status: 503, code: 'payment_in_doubt', detail: '' }
  expect(refusedOrRetry(refusal, said)).toEqual({
    ...{ kind: 'retry', charged: 'unknown', ...refusal, retryAfterSeconds },
  })
})

test.each([
  [499, 'odd', 'refused'],
  [500, 'odd', 'retry'],
  [501, 'odd', 'retry'],
  [499, 'unknown', 'retry'],
])('status %i with the code %s: %s', (status, code, kind) => {
  expect(reply(code, status)).toMatchObject({ kind, ...(kind === 'retry' && { charged: 'unknown' }) })
})

test('a request without an answer says so at last', async () => {
  const { outcome } = await play(new Error('reset'))
  expect(outcome).toEqual({
    ...{ kind: 'in_doubt', status: 503, code: 'no_answer', detail: 'The service did not answer.' },
  })
})

test.each([
  ['no answer at all', [new Error('reset')], 'in_doubt'],
  ['in doubt', [reply('payment_in_doubt', 503)], 'in_doubt'],
  ['an unexplained failure', [reply('unknown', 502)], 'in_doubt'],
  ['an unreadable reply', [reply('unknown', 200)], 'in_doubt'],
  ['not charged', [reply('facilitator_unavailable', 503)], 'refused'],
  ['not charged, the node is away', [reply('chain_unavailable', 503)], 'refused'],
  ['a store that does not answer', [reply('store_unavailable', 503)], 'in_doubt'],
  ['a limit', [reply('too_many_requests', 429)], 'refused'],
  ['a request that arrived too slowly', [reply('request_timeout', 408)], 'refused'],
  ['too many connections', [reply('too_many_connections', 503)], 'refused'],
  [
    'a doubt, then a store that cannot look',
    [new Error('reset'), reply('store_unavailable', 503)],
    'in_doubt',
  ],
])('to the end %s: %s', async (_what, replies, kind) => {
  expect(await play(...replies)).toMatchObject({ outcome: { kind }, sent: 6 })
})

afterEach(() => void vi.useRealTimers())

test('unless told otherwise, sends six times within half a minute', async () => {
  vi.useFakeTimers()
  const send = vi.fn(() => Promise.reject(new Error('reset')))
  const outcome = retry(send)
  await vi.advanceTimersByTimeAsync(30_999)
  expect(send).toHaveBeenCalledTimes(5)
  await vi.advanceTimersByTimeAsync(1)
  expect(send).toHaveBeenCalledTimes(6)
  expect(await outcome).toMatchObject({ kind: 'in_doubt' })
})
