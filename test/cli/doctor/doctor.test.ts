import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import type { Finding } from '../../../src/cli/doctor/finding.ts'
import { TOKEN } from '../../../src/sandbox/addresses.ts'
import { freePort } from '../../../src/sandbox/chain/free-port.ts'
import { callRpc } from '../../../src/sandbox/chain/json-rpc.ts'
import { liveStage } from '../../support/live-stage.ts'
import { runCli } from '../../support/run-cli.ts'
import { selfSigned } from '../../support/self-signed.ts'

const live = liveStage()
/** A fresh head, as Base has one every two seconds. */
const mine = () => callRpc(live.world.sandbox.rpcUrl ?? '', 'anvil_mine', ['0x1'])
beforeEach(async () => {
  live.world.rpc.treat(() => 'pass')
  await mine()
})

async function examine(change: Readonly<Record<string, string>> = {}) {
  const { code, stdout, stderr } = await runCli(['doctor', '--json'], { ...live.settings, ...change })
  expect(stderr).toBe('')
  const { ok, findings } = JSON.parse(stdout) as { ok: boolean; findings: Finding[] }
  expect(code).toBe(ok ? 0 : 1)
  const of = (check: string) => findings.find((finding) => finding.check === check)
  return { code, findings, of, text: stdout }
}

describe('beside a running service', () => {
  test('every line passes, and the report says what was measured', async () => {
    const { code, findings, of } = await examine()
    expect(findings.map(({ check, status }) => `${check} ${status}`)).toEqual([
      'settings pass',
      'pay_to pass',
      'accounts pass',
      'store pass',
      'node pass',
      'facilitator pass',
      'tls pass',
      expect.stringMatching(/^front (pass|warn)$/),
    ])
    expect(code).toBe(0)
    expect(of('node')?.found).toMatch(/^chain 8453, block \d+ is \d+ s old, token code present$/)
    expect(of('front')?.found).toMatch(/^the head of a 402 through BASE_URL has up to [1-4]\d{3} bytes$/)
  })

  test('as text: a line for each check, in 80 columns', async () => {
    const { code, stdout } = await runCli(['doctor'], live.settings)
    expect([code, stdout.split('\n')[0]]).toEqual([
      0,
      'pass  settings     complete, for live mode on Base (eip155:8453): the money is',
    ])
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
  })

  test('it pays nothing and leaves nothing behind', async () => {
    const before = live.service.rows().length
    await examine()
    expect(live.service.rows()).toHaveLength(before)
  })
})

describe('the settings', () => {
  test('none of live mode: a warning, no failure', async () => {
    const { code, stdout } = await runCli(['doctor'])
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^warn {2}settings .*sandbox/)])
  })

  test('each fault is a line, without its value', async () => {
    const { findings, text } = await examine({ PAY_TO: 'CANARY', PORT: 'CANARY' })
    expect(findings.map(({ check, status }) => [check, status])).toEqual([
      ['settings', 'fail'],
      ['settings', 'fail'],
    ])
    expect(text).not.toContain('CANARY')
  })

  test.each([
    ['no checksum', (address: string) => address.toLowerCase(), 'warn'],
    ['the token', () => TOKEN, 'fail'],
  ])('PAY_TO with %s: %s', async (_what, change, status) => {
    const { of } = await examine({ PAY_TO: change(live.world.sandbox.payTo) })
    expect(of('pay_to')?.status).toBe(status)
  })

  test('PAY_TO with one wrong character', async () => {
    const { findings } = await examine({ PAY_TO: `0x${swapCase(live.world.sandbox.payTo.slice(2))}` })
    expect(findings).toEqual([
      expect.objectContaining({
        check: 'settings',
        status: 'fail',
        found: expect.stringContaining('EIP-55'),
      }),
    ])
  })

  test('more connections than the machine opens files', async () => {
    const { findings } = await examine({ MAX_CONNECTIONS: '999999999' })
    expect(findings).toContainEqual(
      expect.objectContaining({
        check: 'settings',
        status: 'warn',
        found: expect.stringContaining('MAX_CONNECTIONS'),
      }),
    )
  })

  test('a key that is also paid to', async () => {
    const { of } = await examine({
      FACILITATOR_URL: 'self',
      SETTLEMENT_KEY: live.world.sandbox.buyer.privateKey,
      PAY_TO: live.world.buyer.address,
    })
    expect(of('accounts')).toMatchObject({ status: 'fail', found: expect.stringContaining('SETTLEMENT_KEY') })
  })
})

test('a store that cannot be written', async () => {
  const file = join(live.world.path, 'no-directory')
  writeFileSync(file, '')
  const { of } = await examine({ DATA_DIR: file })
  expect(of('store')).toMatchObject({ status: 'fail', found: expect.stringContaining('DATA_DIR') })
})

test('a database that does not answer', async () => {
  const port = await freePort()
  const { DATA_DIR: _, ...others } = live.settings
  const { stdout } = await runCli(['doctor', '--json'], {
    ...others,
    DATABASE_URL: `postgres://user:CANARY@127.0.0.1:${port}/none`,
    SECRET_KEY: '11'.repeat(32),
    CARD_KEY: 'CANARY',
    RECEIPT_KEY: 'CANARY',
  })
  expect(stdout).toContain('"fail"')
  expect(stdout).not.toContain('CANARY')
})

describe('the node', () => {
  test('of which one of two does not answer', async () => {
    const dead = `http://127.0.0.1:${await freePort()}`
    const { findings } = await examine({ RPC_URL: `${live.settings.RPC_URL},${dead}` })
    expect(findings.filter(({ check }) => check === 'node')).toEqual([
      expect.objectContaining({ status: 'pass', found: expect.stringMatching(/^1 of 2: chain 8453/) }),
      expect.objectContaining({ status: 'fail', found: '2 of 2: RPC_URL does not answer as a node should' }),
    ])
  })

  test('that knows PAY_TO as a contract', async () => {
    const { payTo, rpcUrl = '' } = live.world.sandbox
    await callRpc(rpcUrl as string, 'anvil_setCode', [payTo, '0x00'])
    try {
      const { findings } = await examine()
      expect(findings).toContainEqual(
        expect.objectContaining({ check: 'pay_to', status: 'warn', found: 'PAY_TO is a contract on Base' }),
      )
    } finally {
      await callRpc(rpcUrl as string, 'anvil_setCode', [payTo, '0x'])
    }
  })

  test('without an answer', async () => {
    live.world.rpc.treat(() => 'drop')
    const { of } = await examine()
    expect(of('node')).toMatchObject({ status: 'fail', found: expect.stringContaining('RPC_URL') })
  })

  test.each([
    ['another chain', 'eth_chainId', '0x1', /chain 1$/],
    ['no token', 'eth_getCode', '0x', /USDC has no code/],
  ])('of %s', async (_what, method, result, words) => {
    live.world.rpc.treat(({ body }) => {
      const { id, method: asked } = JSON.parse(body) as { id: number; method: string }
      return asked === method ? { status: 200, body: { jsonrpc: '2.0', id, result } } : 'pass'
    })
    const { of } = await examine()
    expect(of('node')).toMatchObject({ status: 'fail', found: expect.stringMatching(words) })
  })

  test.each([
    ['has blacklisted PAY_TO', '0xfe575a87', /blacklisted PAY_TO/],
    ['is paused', '0x5c975abb', /USDC is paused/],
  ])('on whose chain USDC %s, so that nothing can be settled', async (_what, selector, words) => {
    live.world.rpc.treat(({ body }) => {
      const { id, method, params } = JSON.parse(body) as {
        id: number
        method: string
        params?: [{ data?: string }]
      }
      const isAsked = method === 'eth_call' && params?.[0].data?.startsWith(selector)
      return isAsked
        ? { status: 200, body: { jsonrpc: '2.0', id, result: `0x${'1'.padStart(64, '0')}` } }
        : 'pass'
    })
    const { findings, code } = await examine()
    expect(findings.filter(({ status }) => status === 'fail')).toEqual([
      expect.objectContaining({ check: 'token', found: expect.stringMatching(words) }),
    ])
    expect(code).toBe(1)
  })

  test.each([
    [90, 'warn'],
    [3_600, 'fail'],
  ])('whose head is %i s old', async (age, status) => {
    live.world.rpc.treat(async ({ body }) => {
      const { id, method } = JSON.parse(body) as { id: number; method: string }
      if (method !== 'eth_getBlockByNumber') return 'pass'
      const block = await callRpc(live.world.sandbox.rpcUrl ?? '', method, ['latest', false])
      const timestamp = `0x${(Math.floor(Date.now() / 1000) - age).toString(16)}`
      return { status: 200, body: { jsonrpc: '2.0', id, result: { ...(block as object), timestamp } } }
    })
    expect((await examine()).of('node')?.status).toBe(status)
  })
})

describe('the facilitator', () => {
  test('without an answer', async () => {
    const { of } = await examine({ FACILITATOR_URL: `http://127.0.0.1:${await freePort()}` })
    expect(of('facilitator')).toMatchObject({
      status: 'fail',
      found: 'FACILITATOR_URL does not answer /supported (ECONNREFUSED)',
    })
  })

  test('that settles other kinds only', async () => {
    const other = await serve(createHttpServer((_request, response) => response.end('{"kinds":[]}')))
    const { of } = await examine({ FACILITATOR_URL: other.url })
    other.close()
    expect(of('facilitator')).toMatchObject({
      status: 'fail',
      found: expect.stringContaining('does not settle'),
    })
  })

  // x402.org answers so without "www", and a key that is not accepted looks the same until the status is said.
  test.each([
    [308, /redirects/, /redirects to/],
    [401, /with 401/, /credentials/],
    [403, /with 403/, /credentials/],
    [429, /with 429/, /operator/],
    [503, /with 503/, /operator/],
    [200, /no list of kinds/, /address/],
  ])('that answers %i instead', async (status, found, advice) => {
    const other = await serve(
      createHttpServer((_request, response) => {
        response.writeHead(status, { location: 'https://www.x402.org/facilitator/supported' }).end('<html>')
      }),
    )
    const { of } = await examine({ FACILITATOR_URL: other.url })
    other.close()
    expect(of('facilitator')).toMatchObject({
      status: 'fail',
      found: expect.stringMatching(found),
      advice: expect.stringMatching(advice),
    })
    expect(of('facilitator')?.found).not.toContain('does not answer')
  })

  test('of our own, without gas', async () => {
    const { of } = await examine({ FACILITATOR_URL: 'self', SETTLEMENT_KEY: `0x${'5a'.repeat(32)}` })
    expect(of('facilitator')).toMatchObject({ status: 'fail', advice: 'Send it ETH on Base.' })
  })
})

describe('the front', () => {
  /** Passes requests on to the service, with further headers. */
  const frontWith = (headers: Readonly<Record<string, string>>, payTo = '') =>
    serve(
      createHttpServer(async (request, response) => {
        const reply = await fetch(`${live.service.url}${request.url}`, { method: 'POST' })
        const terms = reply.headers.get('payment-required') ?? ''
        const json = Buffer.from(terms, 'base64').toString('utf8')
        const changed = payTo === '' ? json : json.replaceAll(live.world.sandbox.payTo, payTo)
        response.writeHead(reply.status, {
          'PAYMENT-REQUIRED': Buffer.from(changed).toString('base64'),
          ...headers,
        })
        response.end()
      }),
    )

  test('without an answer', async () => {
    const { of } = await examine({ BASE_URL: `http://127.0.0.1:${await freePort()}` })
    expect(of('front')).toMatchObject({ status: 'fail', found: expect.stringContaining('ECONNREFUSED') })
  })

  test('that makes the head too large for a stock proxy', async () => {
    const front = await frontWith({ 'X-Long': 'x'.repeat(4_096) })
    const { of } = await examine({ BASE_URL: front.url })
    front.close()
    expect(of('front')).toMatchObject({
      status: 'fail',
      advice: expect.stringContaining('proxy_buffer_size'),
    })
  })

  test('of another service', async () => {
    const front = await frontWith({}, `0x${'77'.repeat(20)}`)
    const { of } = await examine({ BASE_URL: front.url })
    front.close()
    expect(of('front')).toMatchObject({ status: 'fail', found: expect.stringContaining('another address') })
  })

  test.each([502, 404])('that answers %i', async (status) => {
    const front = await serve(createHttpServer((_request, response) => response.writeHead(status).end()))
    const { of } = await examine({ BASE_URL: front.url })
    front.close()
    expect(of('front')).toMatchObject({ status: 'fail', found: expect.stringContaining(String(status)) })
  })

  test('with an untrusted certificate', async () => {
    const front = await serve(createHttpsServer(selfSigned(), (_request, response) => response.end()))
    const { of } = await examine({ BASE_URL: front.url.replace('http:', 'https:') })
    front.close()
    expect(of('tls')).toMatchObject({ status: 'fail', found: expect.stringContaining('not trusted') })
  })
})

async function serve(server: ReturnType<typeof createHttpServer> | ReturnType<typeof createHttpsServer>) {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() }
}

/** Changes the case of the first letter, which breaks the checksum and nothing else. */
const swapCase = (digits: string) =>
  digits.replace(/[a-fA-F]/, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )
