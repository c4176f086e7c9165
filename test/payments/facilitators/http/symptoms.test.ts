/** What the operator's log may tell of a facilitator that gave no usable answer. */
import { describe, expect, test } from 'vitest'
import { settleOnce } from '../../../../src/payments/facilitators/settle-once.ts'
import { facilitatorAtOddServer } from '../../../support/facilitator-at-odd-server.ts'
import { type Behaviour, sendJson } from '../../../support/odd-server.ts'
import { freePort } from '../../../support/ports.ts'

const facilitator = facilitatorAtOddServer()
const { connect } = facilitator
const html =
  (status: number): Behaviour =>
  (response) =>
    void response.writeHead(status, { 'content-type': 'text/html' }).end('<title>Just a moment...</title>')
const ofBytes = (bytes: number) => ({ pad: 'x'.repeat(bytes - '{"pad":""}'.length) })

describe('the symptom of a settlement without a usable answer', () => {
  test.each<[string, Behaviour, object]>([
    [
      'an account without a means of payment',
      sendJson({ errorType: 'payment_method_required' }, 402),
      { status: 402 },
    ],
    ['a key that is not accepted', sendJson({ errorType: 'unauthorized' }, 401), { status: 401 }],
    ['a gateway that waits no longer', html(524), { status: 524 }],
    ['a page with status 200', html(200), { status: 200 }],
    ['an answer of 64 kB, which is read', sendJson(ofBytes(65_536)), { status: 200 }],
    ['an answer that is too large', sendJson(ofBytes(65_537)), { code: 'too_large' }],
    [
      'a connection that breaks',
      (_response, _request, socket) => void socket.destroy(),
      { code: 'ECONNRESET' },
    ],
    ['no answer in time', () => {}, { code: 'no_reply' }],
  ])('of %s', async (_what, behaviour, symptom) => {
    facilitator.server.behave(behaviour)
    const client = connect({ settleDeadlineMs: 300 })
    await expect(
      client.settle(facilitator.payment.payload, facilitator.payment.requirements),
    ).rejects.toMatchObject({
      symptom,
    })
  })

  test('of a machine that takes no connection, and of credentials that cannot be made', async () => {
    const refused = connect({ url: `http://127.0.0.1:${await freePort()}` })
    const keyless = connect({ credentials: () => Promise.reject(new Error('no key')) })
    const symptomOf = (client: ReturnType<typeof connect>) =>
      client
        .settle(facilitator.payment.payload, facilitator.payment.requirements)
        .catch(({ symptom }) => symptom)
    expect(await symptomOf(refused)).toEqual({ code: 'ECONNREFUSED' })
    expect(await symptomOf(keyless)).toEqual({ code: 'no_credentials' })
  })

  test('of a second attempt is that of what kept it from being sent', async () => {
    facilitator.server.behave(html(524))
    const once = settleOnce(connect())
    const settle = () => once(facilitator.payment.payload, facilitator.payment.requirements)
    await expect(settle()).rejects.toMatchObject({ symptom: { status: 524 } })
    facilitator.server.behave(sendJson({}, 403))
    await expect(settle()).rejects.toMatchObject({ effect: 'unknown', symptom: { status: 403 } })
  })
})

test('a list of hundreds of supported kinds is read', async () => {
  const extra = {
    defaultAsset: { address: `0x${'ab'.repeat(20)}`, eip712: { name: 'USD Coin', version: '2' } },
  }
  const kinds = Array.from({ length: 600 }, (_, index) => ({
    x402Version: (index % 2) + 1,
    scheme: 'exact',
    network: `eip155:${index}`,
    extra,
  }))
  facilitator.server.behave(sendJson({ kinds, extensions: [], signers: {} }))
  expect((await connect().getSupported()).kinds).toHaveLength(600)
})

test.each([
  [1_048_576, true],
  [1_048_577, false],
])('a list of %i bytes is read: %s', async (bytes, isRead) => {
  const list = { kinds: [], pad: 'x'.repeat(bytes - '{"kinds":[],"pad":""}'.length) }
  facilitator.server.behave(sendJson(list))
  const answer = connect().getSupported()
  if (isRead) expect(await answer).toEqual(list)
  else await expect(answer).rejects.toMatchObject({ effect: 'unknown', symptom: { code: 'too_large' } })
})
