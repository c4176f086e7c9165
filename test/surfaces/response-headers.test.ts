/** No answer of any path names a header twice, and the table of response headers has every name. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { RESPONSE_HEADERS } from '../../src/http/headers/response-headers.ts'
import { PATHS } from '../../src/surfaces/call/paths.ts'
import { startTestService, type TestService } from '../support/sandbox-service.ts'
import { rawRequest } from './rest/raw-request.ts'

let service: TestService
let paths: readonly string[] = []
beforeAll(async () => {
  service = await startTestService({ ADMIN_PORT: '0' })
  const map = await (await fetch(`${service.url}${PATHS.sitemap}`)).text()
  const listed = [...map.matchAll(/<loc>([^<]*)<\/loc>/g)].map(([, url]) => new URL(url ?? '').pathname)
  const guides = listed.filter((path) => path.startsWith('/docs/')).map((path) => `${path}.md`)
  const page = await (await fetch(service.url)).text()
  const assets = [...page.matchAll(/\/assets\/[\w.-]+/g)].map(([path]) => path)
  paths = [
    ...new Set([...Object.values(PATHS), ...listed, ...guides, ...assets, '/none', '/api/validate/iban']),
  ]
})
afterAll(() => service.stop())

/** What Node and `helmet` write by themselves. */
const OTHERS = [
  ...['connection', 'keep-alive', 'date', 'transfer-encoding'],
  ...['origin-agent-cluster', 'referrer-policy', 'x-dns-prefetch-control', 'x-download-options'],
  ...['x-frame-options', 'x-permitted-cross-domain-policies', 'x-xss-protection'],
]
const KNOWN = new Set([...OTHERS, ...Object.keys(RESPONSE_HEADERS).map((name) => name.toLowerCase())])

interface Asked {
  readonly method?: string
  readonly headers?: readonly string[]
  readonly body?: string
}

/** Status and header lines of an answer, as they stand. */
async function answerOf(
  path: string,
  { method = 'GET', headers = [], body = '' }: Asked = {},
  port = service.port,
) {
  const length = body === '' ? [] : [`Content-Length: ${Buffer.byteLength(body)}`]
  const lines = [
    `${method} ${path} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    'Connection: close',
    ...headers,
    ...length,
  ]
  const { status, text } = await rawRequest(port, `${lines.join('\r\n')}\r\n\r\n${body}`)
  const fields = text.slice(0, text.indexOf('\r\n\r\n')).split('\r\n').slice(1)
  return { status, names: fields.map((field) => field.slice(0, field.indexOf(':')).toLowerCase()), fields }
}

function expectOneOfEach({ names }: Awaited<ReturnType<typeof answerOf>>, of: string) {
  expect(names, of).toEqual([...new Set(names)])
  expect(
    names.filter((name) => !KNOWN.has(name)),
    of,
  ).toEqual([])
}

const FORMS: readonly Asked[] = [
  {},
  { headers: ['Accept: text/markdown', 'Accept-Encoding: br, gzip', 'A2A-Version: 1.0'] },
  { headers: ['Accept: text/html', 'Accept-Encoding: gzip', 'A2A-Extensions: x', 'X-A2A-Extensions: x'] },
  {
    headers: [
      'Accept: application/json',
      'If-Modified-Since: Tue, 01 Jan 2999 00:00:00 GMT',
      'Accept-Encoding: br',
    ],
  },
  { method: 'HEAD' },
  { method: 'OPTIONS', headers: ['Origin: https://page.example', 'Access-Control-Request-Method: POST'] },
  { method: 'DELETE' },
  { method: 'POST' },
  { method: 'POST', headers: ['Content-Type: text/plain'], body: 'x' },
  { method: 'POST', headers: ['Content-Type: application/json', 'Content-Encoding: gzip'], body: '{}' },
  { method: 'POST', headers: ['Content-Type: application/json'], body: '{' },
  { method: 'POST', headers: ['Content-Type: application/json', 'A2A-Version: 9'], body: '{}' },
  { headers: ['Host: other.example'] },
]

test.each(FORMS)('no path answers %o with a name twice', async (asked) => {
  for (const path of paths) expectOneOfEach(await answerOf(path, asked), `${asked.method ?? 'GET'} ${path}`)
})

describe('no call is answered with a name twice', () => {
  const input = { value: 'DE89370400440532013000' }
  const rpc = (method: string, params: object) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const message = { messageId: 'm', role: 'ROLE_USER', parts: [{ data: { skill: 'iban', input } }] }
  const CALLS = [
    ['/api/validate/iban', JSON.stringify(input)],
    ['/api/validate/iban/batch', JSON.stringify({ values: [input.value] })],
    ['/a2a', rpc('SendMessage', { message })],
    ['/a2a', rpc('message/send', { message: { ...message, role: 'user', kind: 'message' } })],
    ['/mcp', rpc('tools/call', { name: 'validate_iban', arguments: input })],
    ['/mcp', rpc('tools/list', {})],
    ['/mcp', rpc('none', {})],
  ] as const

  test.each(CALLS)('%s %s', async (path, body) => {
    const usual = [
      ...['Content-Type: application/json', 'Accept: application/json, text/event-stream'],
      ...['A2A-Extensions: https://github.com/google-agentic-commerce/a2a-x402/blob/main/spec/v0.2'],
    ]
    const paying = `PAYMENT-SIGNATURE: ${await service.pay()}`
    for (const more of [
      [],
      [paying],
      [paying],
      ['PAYMENT-SIGNATURE: bm8='],
      ['X-PAYMENT: bm8='],
      ['X-A2A-Extensions: x'],
    ])
      expectOneOfEach(await answerOf(path, { method: 'POST', headers: [...usual, ...more], body }), path)
  })
})

test('no path of the admin port answers with a name twice', async () => {
  const port = Number(new URL(service.adminUrl).port)
  const paths = ['/', '/operator.css', '/style.css', '/sales.csv', '/metrics', '/none']
  for (const path of paths)
    for (const method of ['GET', 'HEAD', 'POST'])
      for (const headers of [[], ['Accept: text/html']])
        expectOneOfEach(await answerOf(path, { method, headers }, port), `${method} ${path}`)
})

test('a form that is not the default is for the cache of one client', async () => {
  const cacheOf = async (path: string, ...headers: string[]) => {
    const { fields } = await answerOf(path, { headers })
    return fields.find((field) => field.startsWith('Cache-Control:'))?.slice('Cache-Control: '.length)
  }
  for (const path of ['/', '/docs/limits']) {
    expect(await cacheOf(path, 'Accept: text/markdown')).toMatch(/^private,/)
    expect(await cacheOf(path, 'Accept: text/html')).toMatch(/^public,/)
    expect(await cacheOf(path)).toMatch(/^public,/)
  }
  expect(await cacheOf(PATHS.agentCard, 'A2A-Version: 1.0')).toMatch(/^private,/)
  expect(await cacheOf(PATHS.agentCard)).toMatch(/^public,/)
})
