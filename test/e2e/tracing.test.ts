/** Spans of real calls, as a collector gets them: what they say, how they hang together, and what they never hold. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startLiveService, startWorld, type World } from '../support/live-service.ts'
import { type RecordingRelay, startRecordingRelay } from '../support/recording-relay.ts'
import { traceFinder } from '../support/traces.ts'

const CANARY = 'Canary-4f1d-8e20-Zq'
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const CALLER = '00f067aa0ba902b7'
const UNSAMPLED = '5cf92f3577b34da6a3ce929d0e0e4737'
const SPAN_KIND_SERVER = 2

interface OtlpSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly { readonly key: string; readonly value: Record<string, unknown> }[]
}
interface OtlpBody {
  readonly resourceSpans: readonly {
    readonly scopeSpans: readonly { readonly spans: readonly OtlpSpan[] }[]
  }[]
}

let world: World
let relays: Readonly<Record<'collector' | 'facilitator' | 'node', RecordingRelay>>
let requestId: string | null
let logged: readonly string[]
let spans: readonly OtlpSpan[]

beforeAll(async () => {
  world = await startWorld()
  const [collector, facilitator, node] = await Promise.all([
    startRecordingRelay(),
    startRecordingRelay(world.sandbox.facilitatorUrl),
    startRecordingRelay(world.rpc.url),
  ])
  relays = { collector, facilitator, node }
  const service = await startLiveService({
    ...(await world.settings(facilitator.url)),
    RPC_URL: node.url,
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
  })
  const smuggled = { tracestate: `vendor=${CANARY}`, baggage: `value=${CANARY}` }
  const paid = async (traceparent: string) =>
    service.check('email', CANARY, {
      'PAYMENT-SIGNATURE': await world.pay(world.buyer),
      traceparent,
      ...smuggled,
    })
  const sold = await paid(`00-${TRACE}-${CALLER}-01`)
  expect(sold.status).toBe(200)
  requestId = sold.headers.get('x-request-id')
  expect((await paid(`00-${UNSAMPLED}-${CALLER}-00`)).status).toBe(200)
  // Without a parent, with broken ones, and with the value wherever a client can put it.
  for (const traceparent of ['', CANARY, `00-${CANARY}-${CALLER}-01`])
    await service.check('iban', CANARY, { traceparent })
  await service.check(CANARY, CANARY)
  await fetch(`${service.url}/${CANARY}?${CANARY}`, { headers: { 'User-Agent': CANARY } })
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    fetch(`${service.url}${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  await post('/api/validate/iban', { [CANARY]: CANARY })
  await post(
    '/mcp',
    {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'validate_email', arguments: { value: CANARY } },
    },
    { Accept: 'application/json, text/event-stream', 'MCP-Protocol-Version': '2025-11-25' },
  )
  await post(
    '/a2a',
    {
      jsonrpc: '2.0',
      id: 1,
      method: 'SendMessage',
      params: {
        message: { messageId: CANARY, role: 'ROLE_USER', parts: [{ text: `check email ${CANARY}` }] },
      },
    },
    { 'A2A-Version': '1.0' },
  )
  // An unfamiliar event of a sale carries the id of its request.
  await facilitator.stop()
  await paid(`00-${TRACE.replaceAll('4', '5')}-${CALLER}-01`)
  logged = service.logged
  await service.stop()
  spans = collector.seen
    .map(({ body }) => JSON.parse(body.toString()) as OtlpBody)
    .flatMap(({ resourceSpans }) => resourceSpans)
    .flatMap(({ scopeSpans }) => scopeSpans)
    .flatMap((scope) => scope.spans)
})
afterAll(async () => {
  await Promise.all([relays.collector.stop(), relays.node.stop()])
  await world.stop()
})

const ofTrace = (traceId: string) => spans.filter((span) => span.traceId === traceId)
const attribute = (span: OtlpSpan | undefined, key: string) =>
  Object.values(span?.attributes.find((each) => each.key === key)?.value ?? {})[0]

describe('a paid call that brings a traceparent', () => {
  test('has a span for each part, below the caller’s', () => {
    const own = ofTrace(TRACE)
    const names = new Set(own.map(({ name }) => name))
    for (const name of ['POST /api/validate/email', 'sale', 'claim', 'settle', 'store'])
      expect(names).toContain(name)
    const ids = new Set([CALLER, ...own.map(({ spanId }) => spanId)])
    for (const { parentSpanId } of own) expect(ids).toContain(parentSpanId)
    const server = own.find(({ kind }) => kind === SPAN_KIND_SERVER)
    expect(server?.parentSpanId).toBe(CALLER)
    const parentOf = (name: string) => own.find((span) => span.name === name)?.parentSpanId
    const sale = own.find(({ name }) => name === 'sale')?.spanId
    expect(parentOf('sale')).toBe(server?.spanId)
    for (const name of ['claim', 'settle']) expect(parentOf(name)).toBe(sale)
    for (const span of own)
      expect(BigInt(span.endTimeUnixNano)).toBeGreaterThanOrEqual(BigInt(span.startTimeUnixNano))
  })

  test('says what the access log says, with the same request id', () => {
    const server = ofTrace(TRACE).find(({ kind }) => kind === SPAN_KIND_SERVER)
    expect(attribute(server, 'format_checker.request_id')).toBe(requestId)
    expect(attribute(server, 'format_checker.type')).toBe('email')
    expect(attribute(server, 'format_checker.surface')).toBe('rest')
    expect(
      attribute(
        ofTrace(TRACE).find(({ name }) => name === 'sale'),
        'format_checker.outcome',
      ),
    ).toBe('sold')
  })

  test('is continued at the facilitator and at the node', () => {
    const settle = ofTrace(TRACE).find(({ name }) => name === 'settle')
    const sent = relays.facilitator.seen.filter(({ path }) => path === '/settle')
    expect(sent[0]?.headers.traceparent).toBe(`00-${TRACE}-${settle?.spanId}-01`)
    const nodeSpans = new Set(
      ofTrace(TRACE)
        .filter(({ name }) => name === 'node')
        .map(({ spanId }) => spanId),
    )
    for (const { headers } of relays.node.seen) {
      const [, trace, span] = headers.traceparent?.toString().split('-') ?? []
      if (trace === TRACE) expect(nodeSpans).toContain(span)
    }
  })
})

test('a caller that is not traced is not traced here, and its decision is passed on', () => {
  expect(ofTrace(UNSAMPLED)).toEqual([])
  const [, second] = relays.facilitator.seen.filter(({ path }) => path === '/settle')
  expect(second?.headers.traceparent).toMatch(new RegExp(`^00-${UNSAMPLED}-[0-9a-f]{16}-00$`))
})

test('loops make no spans: every trace begins with a request', () => {
  const ids = new Set(spans.map(({ spanId }) => spanId))
  for (const span of spans) {
    const isRoot = span.parentSpanId === undefined || !ids.has(span.parentSpanId)
    if (isRoot) expect(span.kind).toBe(SPAN_KIND_SERVER)
  }
})

test('events of a sale carry the id of their request', () => {
  const lines = logged.map((line) => JSON.parse(line) as Record<string, unknown>)
  const event = lines.find(({ event }) => event === 'facilitator_unavailable')
  expect(event?.requestId).toMatch(/^[0-9a-f-]{36}$/)
  expect(lines.some(({ msg, requestId }) => msg === 'request' && requestId === event?.requestId)).toBe(true)
})

test('the value is in no span, and nothing else of a client is passed on', () => {
  const find = traceFinder(CANARY)
  expect(spans.length).toBeGreaterThan(20)
  for (const { body } of relays.collector.seen) expect(find(body)).toEqual([])
  for (const { headers } of [...relays.facilitator.seen, ...relays.node.seen]) {
    expect(find(JSON.stringify(headers))).toEqual([])
    expect(headers.tracestate).toBeUndefined()
    expect(headers.baggage).toBeUndefined()
  }
  // Payers and transactions belong to the store, not to a collector.
  const collected = relays.collector.seen
    .map(({ body }) => body.toString())
    .join('')
    .toLowerCase()
  expect(collected).not.toContain(world.buyer.address.toLowerCase())
  expect(collected).not.toContain(CANARY.toLowerCase())
})
