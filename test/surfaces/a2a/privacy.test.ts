/** A hunt for a canary in every string a client controls. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakePayment } from '../../support/a2a-double.ts'
import {
  asHeader,
  IN_BAND,
  type Json,
  order,
  paying,
  sendRequest,
  taskRequest,
  VERSIONS,
} from './a2a-client.ts'
import { type A2aService, startA2aService } from './a2a-service.ts'

/** A valid IBAN of no account, spelt so that no other test data contains it. */
const CANARY = 'GB94BARC10201530093459'
/** What of it must not be found: the whole, and the part that a mask hides. */
const TRACES = [
  CANARY,
  CANARY.toLowerCase(),
  '1020153009',
  Buffer.from(CANARY).toString('base64').slice(0, 20),
]

/** Members of a request and what a client might put there. */
const PLACES: readonly (readonly [string, unknown])[] = [
  ['params.tenant', CANARY],
  ['params.metadata', { [CANARY]: CANARY }],
  ['params.configuration', { acceptedOutputModes: [CANARY], pushNotificationConfig: { url: CANARY } }],
  [
    'params.configuration',
    { taskPushNotificationConfig: { url: CANARY, authentication: { schemes: [CANARY, CANARY] } } },
  ],
  [`params.${CANARY}`, CANARY],
  [CANARY, CANARY],
  ['jsonrpc', CANARY],
  ['method', CANARY],
  ['params.message.messageId', CANARY],
  ['params.message.taskId', CANARY],
  ['params.message.role', CANARY],
  ['params.message.kind', CANARY],
  ['params.message.referenceTaskIds', [CANARY]],
  ['params.message.extensions', [CANARY]],
  ['params.message.metadata', { [CANARY]: CANARY, skillId: CANARY }],
  ['params.message.metadata', { [`x402.${CANARY}`]: CANARY, 'x402.payment.status': CANARY }],
  ['params.message.metadata', { 'x402.payment.payload': { x402Version: 2, [CANARY]: CANARY } }],
  ['params.message.metadata', { 'x402.payment.payload': CANARY }],
  ['params.message.parts.0.mediaType', CANARY],
  ['params.message.parts.0.kind', CANARY],
  ['params.message.parts.0.filename', CANARY],
  ['params.message.parts.0.metadata', { [CANARY]: CANARY }],
  [`params.message.parts.0.data.${CANARY}`, CANARY],
  ['params.message.parts.0.data.skill', CANARY],
  [`params.message.parts.0.data.input.${CANARY}`, CANARY],
  ['params.message.parts', [{ kind: 'file', file: { uri: CANARY, mimeType: CANARY }, url: CANARY }]],
]

function withMember(body: Json, path: string, value: unknown): Json {
  const names = path.split('.')
  const last = names.pop() ?? ''
  const parent = names.reduce((object, name) => object[name], body)
  parent[last] = value
  return body
}

describe.each(VERSIONS)('a canary over %s', (version) => {
  let service: A2aService
  let written: string[]
  beforeEach(async () => {
    service = await startA2aService()
    written = []
    for (const name of ['log', 'info', 'warn', 'error', 'debug', 'trace'] as const) {
      vi.spyOn(console, name).mockImplementation((...line) => void written.push(line.map(String).join(' ')))
    }
    for (const stream of [process.stdout, process.stderr]) {
      vi.spyOn(stream, 'write').mockImplementation((chunk) => {
        written.push(String(chunk))
        return true
      })
    }
  })
  afterEach(async () => {
    vi.restoreAllMocks()
    await service.close()
  })

  const required = () =>
    service.double.quote.single(service.registry.all[0]!, 'a2a').required('payment_required')

  function expectNowhere(...texts: string[]): void {
    const everything = [...texts, ...written, JSON.stringify(service.logged), service.double.kept()].join(
      '\n',
    )
    for (const trace of TRACES) expect(everything).not.toContain(trace)
  }

  async function post(body: unknown, headers: Record<string, string> = {}, query = ''): Promise<Json> {
    const reply = await service.post(body, headers, query)
    expectNowhere(reply.text, JSON.stringify([...reply.headers]))
    return reply.json
  }

  const WAYS: Record<string, () => Record<string, string>> = {
    'without payment': () => ({}),
    'in band': () => IN_BAND,
    'by header': () => asHeader(fakePayment(required())),
  }

  it.each(Object.keys(WAYS))('as the value in every accepted form, %s, is found nowhere', async (way) => {
    const messages = [
      { parts: [order('iban', CANARY)] },
      { parts: [order('email', `${CANARY}@example.com`)] },
      { parts: [order('pl-nip', CANARY)] },
      { parts: [{ text: `iban ${CANARY}` }] },
      { parts: [{ text: CANARY }] },
      { parts: [{ text: CANARY }], metadata: { skillId: 'eu-vat' } },
      { parts: [{ text: JSON.stringify({ type: 'iban', value: CANARY }) }] },
      { parts: [{ text: `what is ${CANARY} and ${CANARY}1?` }] },
      { parts: [order('iban', CANARY)], metadata: paying(required()) },
    ]
    for (const message of messages) {
      const json = await post(sendRequest(version, message), WAYS[way]?.())
      const id = json.result?.task?.id ?? json.result?.id
      if (id !== undefined) await post(taskRequest(version, 'get', id))
    }
  })

  it.each(Object.keys(WAYS))('in every other string, %s, is found nowhere', async (way) => {
    const headers = WAYS[way]?.() ?? {}
    const base = () => sendRequest(version, { parts: [order('iban', 'DE89370400440532013000')] }) as Json
    const bodies = [
      ...PLACES.map(([path, value]) => withMember(base(), path, value)),
      { jsonrpc: '2.0', id: 1, method: 'GetTask', params: { id: CANARY, tenant: CANARY } },
      { jsonrpc: '2.0', id: 1, method: 'tasks/get', params: { id: CANARY } },
      {
        jsonrpc: '2.0',
        id: 1,
        method: 'ListTasks',
        params: { contextId: CANARY, pageToken: CANARY, status: CANARY },
      },
      { jsonrpc: '2.0', id: 1, method: 'message/stream', params: { message: CANARY } },
      `{"${CANARY}`,
      CANARY,
    ]
    for (const body of bodies) await post(body, headers)
    for (const name of [
      'A2A-Version',
      'A2A-Extensions',
      'X-A2A-Extensions',
      'X-Request-Id',
      'User-Agent',
      'Content-Type',
      CANARY,
    ]) {
      await post(base(), { ...headers, [name]: CANARY })
    }
    await post(base(), headers, `?${CANARY}=${CANARY}`)
    await post(base(), headers, `?A2A-Version=${CANARY}`)
  })

  it('as JSON-RPC id beside another value is repeated, as the protocol asks, and written nowhere', async () => {
    for (const method of ['SendMessage', 'message/send', 'message/stream', 'SubscribeToTask', 'nope']) {
      const reply = await service.post({ jsonrpc: '2.0', id: CANARY, method, params: {} })
      expect(reply.json.id).toBe(CANARY)
      expectNowhere(reply.text.replace(CANARY, ''))
    }
  })

  it('as context id beside another value is kept with its task, and in no log', async () => {
    const reply = await service.post(
      sendRequest(version, { parts: [order('iban', 'x')], contextId: CANARY }),
      IN_BAND,
    )
    expect(reply.text).toContain(CANARY)
    expect(JSON.stringify(service.logged) + written.join()).not.toContain(CANARY)
  })
})
