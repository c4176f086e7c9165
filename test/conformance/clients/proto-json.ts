/**
 * What goes over A2A 1.0, read by the ProtoJSON codec that the SDK has generated from a2a.proto. The codec drops what the
 * file does not know, so what it gives back shows a member that a strict reader would refuse.
 */
import assert from 'node:assert/strict'
import { a2a, a2aMessage, IN_BAND, inMetadata, type Json, newPayment, orderOf } from '../doors/exchange.ts'
import type { Target, Trial } from '../target.ts'

// Named in a variable because this folder's packages are absent when the product is type-checked.
const SDK = '@a2a-js/sdk'

type Codec = { fromJSON(json: unknown): unknown; toJSON(message: unknown): unknown }

/** Throws on a member that the codec does not give back as it was; defaults that it leaves out are no matter. */
function assertKnown(given: Json, back: Json, at: string): void {
  if (typeof given !== 'object' || given === null) {
    assert.deepEqual(back, given, at)
    return
  }
  for (const [name, value] of Object.entries(given)) {
    const isDefault = back?.[name] === undefined && DEFAULTS.has(JSON.stringify(value))
    if (!isDefault) assertKnown(value, back?.[name], `${at}.${name}`)
  }
}

const DEFAULTS: ReadonlySet<string> = new Set(['""', '[]', '0', 'false'])

const SPOILT = `0x${'11'.repeat(65)}`

async function answersOf(target: Target): Promise<readonly (readonly [string, Json])[]> {
  const open = async () => (await a2aMessage(target, orderOf(), IN_BAND)).json.result
  const pay = async (payload: Json) => {
    const message = {
      taskId: (await open()).task.id,
      parts: [{ text: 'paid' }],
      metadata: inMetadata(payload),
    }
    return (await a2aMessage(target, message)).json.result
  }
  const payment = await newPayment(target)
  const bad = { ...payment, payload: { ...payment.payload, signature: SPOILT } }
  const { task } = await open()
  const card = await fetch(`${target.origin}/.well-known/agent-card.json`, {
    headers: { 'A2A-Version': '1.0' },
  })
  return [
    ['AgentCard', await card.json()],
    ['SendMessageResponse', await open()],
    ['SendMessageResponse', await pay(bad)],
    ['SendMessageResponse', await pay(payment)],
    ['SendMessageResponse', (await a2aMessage(target, { parts: [{ text: 'hello' }] })).json.result],
    ['Task', (await a2a(target, 'GetTask', { id: task.id })).json.result],
    ['Task', (await a2a(target, 'CancelTask', { id: task.id })).json.result],
    ['ListTasksResponse', (await a2a(target, 'ListTasks', {})).json.result],
  ]
}

export const protoJsonTrials: readonly Trial[] = [
  {
    name: 'ProtoJSON of A2A SDK 1.3.0 knows every member of the card of 1.0, of tasks in each state and of messages',
    async run(target) {
      const codecs: Record<string, Codec> = await import(SDK)
      const answers = await answersOf(target)
      for (const [name, json] of answers) {
        const codec = codecs[name]
        assert.ok(codec, name)
        assertKnown(json, codec.toJSON(codec.fromJSON(json)), name)
      }
      const wide = (await (await fetch(`${target.origin}/.well-known/agent-card.json`)).json()) as Json
      const card = codecs.AgentCard as Codec
      assert.throws(() => assertKnown(wide, card.toJSON(card.fromJSON(wide)), 'AgentCard'), /AgentCard\.url/)
    },
  },
]
