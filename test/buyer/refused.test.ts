/** A refusal reaches the buyer in the service's own words. */
import { expect, onTestFinished, test } from 'vitest'
import { createBuyer } from '../../src/buyer/buyer.ts'
import { type Behaviour, sendJson, startOddServer } from '../support/odd-server.ts'

const DETAIL = 'This value is too long.'
const UNANSWERED = { sends: 1, sleep: async () => {} }

/** What a service that answers so is understood to say. */
async function refusalOf(answer: Behaviour) {
  const server = await startOddServer()
  onTestFinished(server.stop)
  server.behave(answer)
  const buyer = createBuyer({ url: server.url, type: 'iban', maxAmount: 1_000n }, UNANSWERED)
  return buyer.terms('GB82 WEST 1234 5698 7654 32')
}

test.each<[string, Behaviour, object]>([
  ['a problem', sendJson({ code: 'value_too_long', detail: DETAIL }, 422), { status: 422 }],
  ['a 402 without terms', sendJson({ code: 'value_too_long', detail: DETAIL }, 402), { status: 402 }],
])('%s', async (_form, answer, more) => {
  expect(await refusalOf(answer)).toMatchObject({
    kind: 'refused',
    code: 'value_too_long',
    detail: DETAIL,
    ...more,
  })
})
