/** What A2A clients send, and what the answers say of a task that has ended. */
import assert from 'node:assert/strict'
import type { Target, Trial } from '../target.ts'
import { a2a, a2aMessage, IN_BAND, inMetadata, type Json, newPayment, orderOf, VALUE } from './exchange.ts'

const CONTEXTS = ['ADK/app/user/sess-1', 'jan+1@x.example s 1', `${'c'.repeat(200)}`, 'ż'.repeat(256)]
const ODD_CONTEXTS = ['line\nend', 'to the left \u202e', 'c'.repeat(257)]

const openTask = async (target: Target): Promise<Json> =>
  (await a2aMessage(target, orderOf(), IN_BAND)).json.result.task

/** A task whose payment was refused for its signature. */
async function failedTask(target: Target): Promise<Json> {
  const { id } = await openTask(target)
  const payment = await newPayment(target)
  const spoilt = { ...payment, payload: { ...payment.payload, signature: `0x${'11'.repeat(65)}` } }
  return (await pay(target, id, spoilt)).result.task
}

const pay = async (target: Target, taskId: string, payload: Json): Promise<Json> =>
  (await a2aMessage(target, { taskId, parts: [{ text: 'paid' }], metadata: inMetadata(payload) })).json

const ONLY_03 = [
  'url',
  'protocolVersion',
  'preferredTransport',
  'additionalInterfaces',
  'supportsAuthenticatedExtendedCard',
]

const card = ({ origin }: Target, path: string, headers: Record<string, string> = {}) =>
  fetch(`${origin}${path}`, { headers })

export const a2aDoors: readonly Trial[] = [
  {
    name: 'A2A: a context id is any printable text of at most 256 characters (ADK)',
    async run(target) {
      for (const contextId of CONTEXTS) {
        const { json } = await a2aMessage(target, { ...orderOf(), contextId }, IN_BAND)
        assert.equal(json.result?.task.contextId, contextId, JSON.stringify(json))
      }
      for (const contextId of [...ODD_CONTEXTS, `chat-${VALUE}`]) {
        const { json } = await a2aMessage(target, { ...orderOf(), contextId }, IN_BAND)
        assert.equal(json.error?.code, -32602)
        assert.ok(!JSON.stringify(json).includes(VALUE))
      }
    },
  },
  {
    name: 'A2A: errors of a failed task say of the charge what the task says',
    async run(target) {
      const { id, status } = await failedTask(target)
      assert.equal(status.state, 'TASK_STATE_FAILED')
      const { charged } = status.message.metadata['format-checker/error']
      const asked = [
        await a2aMessage(target, { taskId: id, parts: [{ text: 'x' }] }),
        await a2a(target, 'CancelTask', { id }),
      ]
      for (const { json } of asked) assert.equal(json.error.data[0].metadata.charged, String(charged))
    },
  },
  {
    name: 'A2A: a good payment after a bad one on the same task gets a sentence of its own',
    async run(target) {
      const failed = await failedTask(target)
      const after = (await pay(target, failed.id, await newPayment(target))).result.task
      const textOf = ({ status }: Json) => status.message.parts[0].text
      assert.match(textOf(after), /^This payment was not taken, and nothing was charged for this message/)
      assert.notEqual(textOf(after), textOf(failed))
      assert.equal(after.status.message.metadata['format-checker/error'].charged, false)
    },
  },
  {
    name: 'A2A: the card is of 1.0 alone for a client that says so, of both versions for others, also below the endpoint',
    async run(target) {
      for (const path of ['/.well-known/agent-card.json', '/a2a/.well-known/agent-card.json']) {
        const wide = await card(target, path)
        const text = await wide.text()
        const both = JSON.parse(text) as Json
        assert.match(wide.headers.get('cache-control') ?? '', /public/)
        assert.match(wide.headers.get('vary') ?? '', /A2A-Version/)
        assert.deepEqual([both.url, both.protocolVersion], [`${both.provider.url}/a2a`, '0.3.0'])
        for (const version of ['0.3', 'x', '1.1', ''])
          assert.equal(await (await card(target, path, { 'A2A-Version': version })).text(), text)
        for (const version of ['1.0', '1.0.0', ' 1.0 ']) {
          const pure = await card(target, path, { 'A2A-Version': version })
          const narrow = (await pure.json()) as Json
          // The same members under the same signature, and those of 0.3 left out.
          assert.deepEqual(
            Object.keys(both).filter((name) => !(name in narrow)),
            ONLY_03,
          )
          for (const name of Object.keys(narrow)) assert.deepEqual(narrow[name], both[name])
          const versions = narrow.supportedInterfaces.map((each: Json) => each.protocolVersion)
          assert.deepEqual(versions, ['1.0', '0.3'])
          assert.match(pure.headers.get('cache-control') ?? '', /^private/)
          assert.match(pure.headers.get('vary') ?? '', /A2A-Version/)
          const known = { 'A2A-Version': version, 'If-None-Match': pure.headers.get('etag') ?? '' }
          const unchanged = await card(target, path, known)
          assert.deepEqual([unchanged.status, unchanged.headers.get('vary')], [304, pure.headers.get('vary')])
        }
      }
    },
  },
]
