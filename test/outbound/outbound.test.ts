import { globSync, readFileSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { outboundFetch } from '../../src/outbound/outbound-fetch.ts'
import { createRefusedAddresses } from '../../src/outbound/refused-addresses.ts'
import { type OutboundRequest, sendRequest } from '../../src/outbound/send-request.ts'
import { nodeClient } from '../../src/payments/chain/node-transport.ts'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close().closeAllConnections()
})

async function serve(listener: RequestListener): Promise<URL> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  servers.push(server)
  await new Promise((resolve) => server.once('listening', resolve))
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/x`)
}

const BOUNDS = { timeoutMs: 60_000, mostBytes: 1_000 }
const send = (url: URL, more: Partial<OutboundRequest> = {}) =>
  sendRequest({ ...BOUNDS, url, method: 'POST', body: '{}', ...more })

test.each([
  301, 302, 303, 307, 308,
])('a redirect (%i) is not followed, and takes no body along', async (status) => {
  const reached: string[] = []
  const inner = await serve((_req, res) => {
    reached.push('inner')
    res.end('{}')
  })
  const outer = await serve((_req, res) => res.writeHead(status, { location: inner.href }).end())
  await expect(send(outer)).rejects.toMatchObject({ code: 'redirected', status, wasConnected: true })
  const viem = nodeClient({ rpcUrls: [outer.href], timeoutMs: 10_000, retryCount: 0 })
  await expect(viem.getChainId()).rejects.toThrow()
  await expect(outboundFetch(BOUNDS)(outer)).rejects.toMatchObject({ code: 'redirected' })
  expect(reached).toEqual([])
})

test('a reply is bounded in size, and must be JSON if it says what it is', async () => {
  const large = await serve((_req, res) => res.end(`"${'x'.repeat(2_000)}"`))
  await expect(send(large)).rejects.toMatchObject({ code: 'too_large', wasConnected: true })
  const page = await serve((_req, res) => res.writeHead(200, { 'content-type': 'text/html' }).end('<p>'))
  await expect(send(page)).rejects.toMatchObject({ code: 'not_json' })
  expect((await send(page, { expects: 'any' })).text).toBe('<p>')
  const json = await serve((_req, res) =>
    res.writeHead(200, { 'content-type': 'application/did+json' }).end('{}'),
  )
  expect((await send(json)).text).toBe('{}')
  const failing = await serve((_req, res) => res.writeHead(502, { 'content-type': 'text/html' }).end('<p>'))
  expect((await send(failing)).status).toBe(502)
})

test('a reply may have as many bytes as are allowed, and no byte more', async () => {
  const url = await serve((req, res) => res.end(Buffer.alloc(req.url === '/x' ? 1_000 : 1_001, ' ')))
  expect((await send(url)).text).toHaveLength(1_000)
  await expect(send(new URL('/y', url))).rejects.toMatchObject({ code: 'too_large' })
})

test('a character whose bytes come in two pieces is read as one, and one that is cut off as unknown', async () => {
  const url = await serve(async (_req, res) => {
    for (const byte of Buffer.concat([Buffer.from('Łódź'), Buffer.of(0xc5)])) {
      res.write(Uint8Array.of(byte))
      await new Promise(setImmediate)
    }
    res.end()
  })
  expect((await send(url)).text).toBe('Łódź\ufffd')
})

test('a request that is given up before a connection was up has sent nothing', async () => {
  const url = await serve(() => {})
  await expect(send(url, { signal: AbortSignal.abort() })).rejects.toMatchObject({ wasConnected: false })
  await expect(send(url, { timeoutMs: 0 })).rejects.toMatchObject({ code: 'no_reply', wasConnected: false })
  const controller = new AbortController()
  const hanging = await serve(() => controller.abort())
  await expect(send(hanging, { signal: controller.signal })).rejects.toMatchObject({ wasConnected: true })
})

test('a request that failed leaves no timer behind, which would keep its process alive', async () => {
  const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length
  const before = timers()
  const url = await serve((request) => request.socket.destroy())
  await expect(send(url)).rejects.toMatchObject({ code: 'ECONNRESET' })
  expect(timers()).toBe(before)
})

test('a server is found by its name too', async () => {
  const url = await serve((_req, res) => res.end('{}'))
  url.hostname = 'localhost'
  expect((await send(url)).text).toBe('{}')
})

test('addresses of metadata services are refused, in every spelling', async () => {
  const isRefused = createRefusedAddresses()
  for (const address of [
    '169.254.169.254',
    '169.254.170.2',
    '::ffff:169.254.169.254',
    'fd00:ec2::254',
    'fe80::1',
    '100.100.100.200',
    '64:ff9b::a9fe:a9fe',
  ])
    expect(isRefused(address), address).toBe(true)
  for (const address of ['127.0.0.1', '10.0.0.1', '::1', '2606:4700::1', 'example.com'])
    expect(isRefused(address), address).toBe(false)
  for (const host of ['169.254.169.254', '2852039166', '0xa9fea9fe', '[::ffff:a9fe:a9fe]'])
    await expect(send(new URL(`http://${host}/`), { isNamed: false })).rejects.toMatchObject({
      code: 'address_refused',
      wasConnected: false,
    })
})

/** Whether a source sends a request by itself. */
function sendsRequest(text: string): boolean {
  const code = text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$|`[^`]*`|'[^'\n]*\bawait fetch\([^'\n]*'/gm, '')
  const named = /import \{([^}]*)\} from ['"](?:node:)?(?:https?|http2)['"]/.exec(text)?.[1] ?? ''
  const whole = /import (?:\* as )?(\w+) from ['"](?:node:)?(?:https?|http2)['"]/.exec(text)?.[1] ?? ''
  const isViem =
    /\bhttp\(|\bwebSocket\(/.test(code) && text.includes("from 'viem'") && !code.includes('fetchFn')
  return (
    /(?<![\w.'-])fetch\(|\bundici\b|\.get\(['"]https?:|\bnew (?:WebSocket|EventSource)\(/.test(code) ||
    /globalThis\W+fetch\b|\{[^{}]*\bfetch\b[^{}]*\} = globalThis/.test(code) ||
    /\b(?:request|get|ClientRequest|connect)\b/.test(named) ||
    /(?:\bimport\(|Module\(|\brequire\()['"](?:node:)?(?:https?|http2)['"]/.test(code) ||
    (whole !== '' && new RegExp(`\\b${whole}\\.(?:request|get|ClientRequest|connect)\\b`).test(code)) ||
    isViem
  )
}

test.each([
  'await fetch(url)',
  'await globalThis.fetch(url)',
  'const { fetch: send } = globalThis',
  "import { request } from 'undici'",
  "import { get } from 'node:https'",
  "import { type Server, request as ask } from 'http'",
  "import https from 'node:https'\nhttps.get(url)",
  "import * as http from 'node:http'\nconst send = http.request",
  "const { request } = await import('node:http')",
  "const http2 = process.getBuiltinModule('node:http2')",
  "import { http } from 'viem'\nconst transport = http(url)",
  'new WebSocket(url)',
])('a source that sends a request is found: %s', (text) => {
  expect(sendsRequest(`import { join } from 'node:path'\n${text}\n`)).toBe(true)
})

test('nothing else in sources, packages and scripts sends a request', () => {
  const root = join(import.meta.dirname, '../..')
  const paths = globSync(['src/**/*.ts', 'packages/*/src/**/*.ts', 'scripts/**/*.ts'], { cwd: root })
  for (const folder of ['src/', 'packages/command/src/', 'scripts/'])
    expect(paths.filter((path) => path.startsWith(folder)).length, folder).toBeGreaterThan(0)
  const senders = paths.filter((path) => sendsRequest(readFileSync(join(root, path), 'utf8')))
  expect(senders).toEqual(['src/outbound/send-request.ts'])
})
