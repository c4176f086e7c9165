/** A refusal reaches the buyer in the service's own words, in whatever form a surface carries it. */
import { expect, onTestFinished, test } from 'vitest'
import { type Behaviour, sendJson, startOddServer } from '../../../../test/support/odd-server.ts'
import { createBuyer } from '../../src/buyer/buyer.ts'
import type { Surface } from '../../src/buyer/open-client.ts'

const DETAIL = 'This value is too long.'
const UNANSWERED = { sends: 1, sleep: async () => {} }

const failedTask = (metadata: object) => ({
  id: 'task',
  contextId: 'context',
  status: {
    state: 'TASK_STATE_FAILED',
    message: { messageId: 'message', role: 'ROLE_AGENT', parts: [{ text: DETAIL }], metadata },
  },
})
const reply = (member: object) => sendJson({ jsonrpc: '2.0', id: 1, ...member })

/** What a service that answers so is understood to say. */
async function refusalOf(surface: Surface, answer: Behaviour) {
  const server = await startOddServer()
  onTestFinished(server.stop)
  const agent = { url: `${server.url}/a2a`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }
  const card = sendJson({ name: 'x', supportedInterfaces: [agent] })
  server.behave((response, request, socket) => {
    const isCard = request.path.endsWith('agent-card.json')
    return (isCard ? card : answer)(response, request, socket)
  })
  const buyer = createBuyer({ url: server.url, type: 'iban', surface, maxAmount: 1_000n }, UNANSWERED)
  return buyer.terms('GB82 WEST 1234 5698 7654 32')
}

test.each<[Surface, string, Behaviour, object]>([
  ['rest', 'a problem', sendJson({ code: 'value_too_long', detail: DETAIL }, 422), { status: 422 }],
  ['rest', 'a 402 without terms', sendJson({ code: 'value_too_long', detail: DETAIL }, 402), { status: 402 }],
  [
    'mcp',
    'an error of the protocol',
    reply({ error: { code: -32602, message: `value_too_long: ${DETAIL}` } }),
    { status: 200 },
  ],
  [
    'mcp',
    'an error of the tool',
    reply({ result: { isError: true, content: [{ type: 'text', text: `value_too_long: ${DETAIL}` }] } }),
    {},
  ],
  [
    'a2a',
    'an error of the protocol',
    reply({ error: { code: -32602, message: DETAIL, data: [{ metadata: { code: 'value_too_long' } }] } }),
    { status: 200 },
  ],
  [
    'a2a',
    'an error whose second detail has the code',
    reply({
      error: { code: -32602, message: DETAIL, data: [{}, { metadata: { code: 'value_too_long' } }] },
    }),
    { status: 200 },
  ],
  [
    'a2a',
    'a failed task',
    reply({ result: { task: failedTask({ 'format-checker/error': { code: 'value_too_long' } }) } }),
    {},
  ],
  [
    'a2a',
    "a failed task of another's",
    reply({ result: { task: failedTask({ 'x402.payment.error': 'value_too_long' }) } }),
    {},
  ],
])('over %s, %s', async (surface, _form, answer, more) => {
  expect(await refusalOf(surface, answer)).toMatchObject({
    kind: 'refused',
    code: 'value_too_long',
    detail: DETAIL,
    ...more,
  })
})
