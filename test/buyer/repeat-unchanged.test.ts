import { expect, test } from 'vitest'
import { type Answer, refusedOrAgain } from '../../src/buyer/answer.ts'
import { repeatUnchanged } from '../../src/buyer/repeat-unchanged.ts'

const answer = (code: string, status: number, retryAfter?: number): Answer =>
  refusedOrAgain({ status, code, detail: '' }, retryAfter)

/** Plays answers in their order, the last one for ever; an Error is a lost connection. */
async function play(...answers: (Answer | Error)[]) {
  const waits: number[] = []
  let sent = 0
  const outcome = await repeatUnchanged(
    async () => {
      const next = answers[Math.min(sent++, answers.length - 1)]
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

test('a refusal is taken at its word', async () => {
  expect(await play(answer('payment_expired', 402))).toMatchObject({ outcome: { kind: 'refused' }, sent: 1 })
})

test('waits as long as Retry-After says, but not for ever', async () => {
  const { waits } = await play(
    answer('payment_in_doubt', 503, 7),
    answer('payment_in_doubt', 503, 86_400),
    answer('payment_expired', 402),
  )
  expect(waits).toEqual([7_000, 30_000])
})

test('waits longer each time where the service does not say', async () => {
  const { waits, sent } = await play(new Error('reset'))
  expect([waits, sent]).toEqual([[1_000, 2_000, 4_000, 8_000, 16_000], 6])
})

test.each([
  ['no answer at all', [new Error('reset')], 'in_doubt'],
  ['in doubt', [answer('payment_in_doubt', 503)], 'in_doubt'],
  ['a failure nobody explains', [answer('unknown', 502)], 'in_doubt'],
  ['an answer nobody can read', [answer('unknown', 200)], 'in_doubt'],
  ['not charged', [answer('facilitator_unavailable', 503)], 'refused'],
  ['a limit', [answer('too_many_requests', 429)], 'refused'],
  [
    'a doubt, then a store that cannot look',
    [new Error('reset'), answer('store_unavailable', 503)],
    'in_doubt',
  ],
])('to the end %s: %s', async (_what, answers, kind) => {
  expect(await play(...answers)).toMatchObject({ outcome: { kind }, sent: 6 })
})
