import { generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer, type Server as HttpServer, type RequestListener } from 'node:http'
import { createServer as createHttpsServer, Server as HttpsServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { privateKeyToAddress } from 'viem/accounts'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import type { Finding } from '../../../src/cli/doctor/finding.ts'
import { TOKEN } from '../../../src/sandbox/addresses.ts'
import { callRpc } from '../../../src/sandbox/chain/json-rpc.ts'
import { giveEther } from '../../../src/sandbox/chain/provision.ts'
import { liveStage } from '../../support/live-stage.ts'
import { freePort } from '../../support/ports.ts'
import { runCli } from '../../support/run-cli.ts'
import { selfSigned } from '../../support/self-signed.ts'
import { layUnreleasedStore } from '../../support/unreleased-store.ts'

type Settings = Readonly<Record<string, string>>

const live = liveStage()
const chainUrl = () => live.world.sandbox.rpcUrl ?? ''
/** A fresh head, as Base has one every two seconds. */
const mine = () => callRpc(chainUrl(), 'anvil_mine', ['0x1'])
beforeEach(async () => {
  live.world.rpc.treat(() => 'pass')
  await mine()
})

async function examine(change: Settings = {}) {
  const { code, stdout, stderr } = await runCli(['doctor', '--json'], { ...live.settings, ...change })
  expect(stderr).toBe('')
  const { ok, findings } = JSON.parse(stdout) as { ok: boolean; findings: Finding[] }
  expect(code).toBe(ok ? 0 : 1)
  return { code, findings, text: stdout }
}

describe('beside a running service', () => {
  test('every line passes, and the report says what was measured', async () => {
    const { code, findings } = await examine()
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
    const of = (name: string) => findings.find(({ check }) => check === name)
    expect(of('node')?.found).toMatch(/^chain 8453, block \d+ is \d+ s old, token code present$/)
    expect(of('facilitator')?.status).toBe('pass')
    expect(of('front')?.found).toMatch(/^the head of a 402 through BASE_URL has up to [1-4]\d{3} bytes$/)
  })

  const CHANNELS_ON = { CHANNELS: 'on', RECEIVER_AUTHORIZER_KEY: `0x${'5'.repeat(64)}` }
  test.each<[string, Settings, 'pass' | 'warn']>([
    ['of the whole price, without channels,', { FACILITATOR_FEE_USD: '0.001' }, 'warn'],
    ['of less', { FACILITATOR_FEE_USD: '0.0009' }, 'pass'],
    ['over channels', { FACILITATOR_FEE_USD: '0.001', ...CHANNELS_ON }, 'pass'],
  ])('a fee %s', async (_what, settings, status) => {
    const { findings } = await examine(settings)
    expect(findings.find(({ check }) => check === 'facilitator')?.status).toBe(status)
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
    const left = () => [live.service.rows().length, readdirSync(live.settings.DATA_DIR ?? '').sort()]
    const before = left()
    await examine()
    expect(left()).toEqual(before)
  })
})

test('its token is not sent on to where the address redirects', async () => {
  const sent: unknown[] = []
  const elsewhere = await serve(
    createHttpServer(({ headers }, response) => {
      sent.push(headers['format-checker-doctor'])
      response.end()
    }),
  )
  const front = createHttpServer(({ headers }, response) => {
    sent.push(typeof headers['format-checker-doctor'])
    response.writeHead(307, { location: elsewhere }).end()
  })
  await examine({ BASE_URL: await serve(front) })
  expect(sent).toContain('string')
  expect(sent.filter((each) => each !== 'undefined' && each !== 'string')).toEqual([])
})

test('without settings of live mode: a warning, no failure', async () => {
  const { code, stdout } = await runCli(['doctor'])
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^warn {2}settings .*sandbox/)])
})

/** A fault: how it is planted, and the line that must name it. */
type Fault = readonly [string, () => Settings | Promise<Settings>, `${'warn' | 'fail'} ${string}`, RegExp]

const SETTINGS: readonly Fault[] = [
  ['a misspelt address', () => ({ PAY_TO: 'CANARY' }), 'fail settings', /PAY_TO/],
  ['a port that is a word', () => ({ PORT: 'CANARY' }), 'fail settings', /PORT/],
  [
    'PAY_TO with one wrong character',
    () => ({ PAY_TO: `0x${swapCase(live.world.sandbox.payTo.slice(2))}` }),
    'fail settings',
    /EIP-55/,
  ],
  [
    'PAY_TO is a burn address',
    () => ({ PAY_TO: '0x000000000000000000000000000000000000dEaD' }),
    'fail settings',
    /burn address/,
  ],
  [
    'PAY_TO without a checksum',
    () => ({ PAY_TO: live.world.sandbox.payTo.toLowerCase() }),
    'warn pay_to',
    /no checksum/,
  ],
  ['PAY_TO is the token', () => ({ PAY_TO: TOKEN }), 'fail pay_to', /the token itself/],
  [
    'PAY_TO has code',
    async () => {
      await callRpc(chainUrl(), 'anvil_setCode', [live.world.sandbox.payTo, '0x00'])
      onTestFinished(() => void callRpc(chainUrl(), 'anvil_setCode', [live.world.sandbox.payTo, '0x']))
      return {}
    },
    'warn pay_to',
    /PAY_TO is a contract on Base/,
  ],
  [
    'more connections than the machine opens files',
    () => ({ MAX_CONNECTIONS: '999999999' }),
    'warn settings',
    /MAX_CONNECTIONS/,
  ],
  [
    'a hot key that is paid to',
    () => ({ ...selfSettling(live.world.sandbox.buyer.privateKey), PAY_TO: live.world.buyer.address }),
    'fail accounts',
    /SETTLEMENT_KEY/,
  ],
  [
    'a signer that is away',
    () => ({ SIGNER_SOCKET: join(live.world.path, 'none') }),
    'fail settings',
    /SIGNER_SOCKET/,
  ],
]

const STORE: readonly Fault[] = [
  [
    'DATA_DIR is a file',
    () => ({ DATA_DIR: fileAt('no-directory') }),
    'fail store',
    /cannot be written \(ENOTDIR\)/,
  ],
  [
    'SECRET_KEY of another store',
    () => ({ SECRET_KEY: randomBytes(32).toString('hex') }),
    'fail store',
    /SECRET_KEY or secret.key is not the one/,
  ],
  [
    'the key is lost',
    () => ({ DATA_DIR: copyOfStore() }),
    'fail store',
    /SECRET_KEY or secret.key is not the one/,
  ],
  [
    'the key is damaged',
    () => {
      const folder = copyOfStore()
      writeFileSync(join(folder, 'secret.key'), 'CANARY')
      return { DATA_DIR: folder }
    },
    'fail store',
    /SECRET_KEY or secret.key is not the one/,
  ],
  [
    'the store of another network',
    () => ({
      DATA_DIR: copyOfStore(`UPDATE facts SET value = 'eip155:84532' WHERE name = 'network'`),
      ...keyOfStore(),
    }),
    'fail store',
    /another network than NETWORK/,
  ],
  [
    'a store that a newer version has changed',
    () => ({
      DATA_DIR: copyOfStore(`INSERT INTO kysely_migration VALUES ('9999-later', '')`),
      ...keyOfStore(),
    }),
    'warn store',
    /newer version/,
  ],
  [
    'a store from before the first release',
    () => {
      const folder = join(live.world.path, 'unreleased')
      layUnreleasedStore(folder)
      return { DATA_DIR: folder, ...keyOfStore() }
    },
    'fail store',
    /written before the first release/,
  ],
  [
    'a damaged store',
    () => {
      const folder = copyOfStore()
      writeFileSync(join(folder, 'ledger.sqlite'), 'CANARY'.repeat(1_000))
      return { DATA_DIR: folder }
    },
    'fail store',
    /cannot be read/,
  ],
  [
    'a database that is down',
    async () => ({
      DATA_DIR: '',
      DATABASE_URL: `postgres://user:CANARY@127.0.0.1:${await freePort()}/none`,
      SECRET_KEY: randomBytes(32).toString('hex'),
      ...signingKeys(),
    }),
    'fail store',
    /DATABASE_URL does not answer \(ECONNREFUSED\)/,
  ],
]

const NODE: readonly Fault[] = [
  [
    'a dead node',
    () => {
      live.world.rpc.treat(() => 'drop')
      return {}
    },
    'fail node',
    /^RPC_URL does not answer as a node should/,
  ],
  [
    'the second of two nodes is dead',
    async () => ({ RPC_URL: `${live.settings.RPC_URL},http://127.0.0.1:${await freePort()}` }),
    'fail node',
    /^2 of 2: RPC_URL does not answer/,
  ],
  [
    'the first of two nodes is dead',
    async () => ({ RPC_URL: `http://127.0.0.1:${await freePort()},${live.settings.RPC_URL}` }),
    'fail node',
    /^1 of 2: RPC_URL does not answer/,
  ],
  ['another chain', () => answering('eth_chainId', () => '0x1'), 'fail node', /chain 1\n/],
  ['no token', () => answering('eth_getCode', () => '0x'), 'fail node', /USDC has no code/],
  ['a token with another domain', () => calling('0x3644e515', 7), 'fail node', /another EIP-712 domain/],
  ['a head of 90 seconds', () => headAged(90), 'warn node', /is \d+ s old/],
  ['a head of an hour, or a clock that is ahead', () => headAged(3_600), 'fail node', /is \d+ s old/],
  ['a clock that is behind', () => headAged(-600), 'fail node', /ahead of the clock of this machine/],
  ['PAY_TO is blacklisted', () => calling('0xfe575a87', 1), 'fail token', /blacklisted PAY_TO/],
  ['the token is paused', () => calling('0x5c975abb', 1), 'fail token', /USDC is paused/],
]

const FACILITATOR: readonly Fault[] = [
  [
    'a facilitator that is silent',
    async () => ({ FACILITATOR_URL: `http://127.0.0.1:${await freePort()}` }),
    'fail facilitator',
    /does not answer \/supported \(ECONNREFUSED\)/,
  ],
  [
    'a facilitator without exact',
    () => facilitatorWith(200, '{"kinds":[]}'),
    'fail facilitator',
    /does not settle/,
  ],
  // x402.org answers so without "www", and a key that is not accepted looks the same until the status is said.
  [
    'an address that redirects',
    () => facilitatorWith(308),
    'fail facilitator',
    /redirects.*\n.*redirects to/,
  ],
  ['no credentials', () => facilitatorWith(401), 'fail facilitator', /with 401\n.*credentials/],
  ['wrong credentials', () => facilitatorWith(403), 'fail facilitator', /with 403\n.*credentials/],
  ['a facilitator that limits', () => facilitatorWith(429), 'fail facilitator', /with 429\n.*operator/],
  ['a facilitator that is down', () => facilitatorWith(503), 'fail facilitator', /with 503\n.*operator/],
  ['a page for a facilitator', () => facilitatorWith(200), 'fail facilitator', /no list of kinds\n.*address/],
  [
    'no gas',
    () => selfSettling(`0x${'5a'.repeat(32)}`),
    'fail facilitator',
    /cannot pay.*\n.*Send it ETH on Base/,
  ],
  [
    'no aggregator',
    () => withoutAggregator('runs code'),
    'warn facilitator',
    /aggregator is not deployed, so each batch carries its code.*\n.*docs\/operations\.md#the-aggregator/,
  ],
  ['no batches', () => withoutAggregator('runs none'), 'warn facilitator', /runs no batch/],
]

const FRONT: readonly Fault[] = [
  [
    'nothing at BASE_URL',
    async () => ({ BASE_URL: `http://127.0.0.1:${await freePort()}` }),
    'fail front',
    /ECONNREFUSED/,
  ],
  [
    'a head too large for a stock proxy',
    () => frontWith({ answer: { 'X-Long': 'x'.repeat(4_096) } }),
    'fail front',
    /up to \d+ bytes\n.*proxy_buffer_size/,
  ],
  ['another service', () => frontWith({ payTo: `0x${'77'.repeat(20)}` }), 'fail front', /another address/],
  ['a proxy without a service', () => frontThatAnswers(502), 'fail front', /502/],
  ['a proxy that loses paths', () => frontThatAnswers(404), 'fail front', /404/],
  [
    'an untrusted certificate',
    async () => ({
      BASE_URL: await serve(createHttpsServer(selfSigned(), (_request, response) => response.end())),
    }),
    'fail tls',
    /not trusted/,
  ],
  [
    'TRUST_PROXY and no proxy',
    () => ({ TRUST_PROXY: '1' }),
    'fail proxies',
    /is 1, .* are 0: clients can forge/,
  ],
  [
    'TRUST_PROXY above the proxies',
    async () => ({ ...(await frontWith({ forwarded: append })), TRUST_PROXY: '2' }),
    'fail proxies',
    /is 2, .* are 1: clients can forge.*\nSet TRUST_PROXY=1/,
  ],
  [
    'TRUST_PROXY below the proxies',
    () => frontWith({ forwarded: append }),
    'warn proxies',
    /is 0, .* are 1: clients share one limit/,
  ],
  [
    'a proxy that hides its clients',
    async () => ({
      ...(await frontWith({ tls: true, forwarded: () => ({}) })),
      // Trusted for this test.
      ...{ NODE_TLS_REJECT_UNAUTHORIZED: '0', NODE_NO_WARNINGS: '1' },
    }),
    'warn proxies',
    /does not write X-Forwarded-For/,
  ],
]

const FAULTS = [...SETTINGS, ...STORE, ...NODE, ...FACILITATOR, ...FRONT]

describe('planted faults are named', () => {
  test.each(FAULTS)('%s', async (_fault, plant, line, words) => {
    const { code, findings, text } = await examine(await plant())
    const [status, check] = line.split(' ')
    const named = findings.filter((finding) => finding.check === check && finding.status === status)
    const texts = named.map(({ found, advice }) => `${found}\n${advice}`)
    expect(texts, text).toContainEqual(expect.stringMatching(words))
    if (status === 'fail') expect(code).toBe(1)
    expect(text).not.toContain('CANARY')
  })
})

describe('TRUST_PROXY is right', () => {
  test.each([
    ['as many as append', '1', append],
    ['more than a proxy that begins a new list, which leaves nothing to forge', '2', overwrite],
  ])('%s', async (_what, trusted, forwarded) => {
    const { findings } = await examine({ ...(await frontWith({ forwarded })), TRUST_PROXY: trusted })
    expect(findings.map(({ check }) => check)).not.toContain('proxies')
  })
})

const selfSettling = (key: string) => ({ FACILITATOR_URL: 'self', SETTLEMENT_KEY: key })

function fileAt(name: string): string {
  const file = join(live.world.path, name)
  writeFileSync(file, '')
  return file
}

let copies = 0
/** A folder with a copy of the service's store, changed by a statement, and no key. */
function copyOfStore(statement?: string): string {
  copies += 1
  const folder = join(live.world.path, `copy-${copies}`)
  mkdirSync(folder)
  const source = new Database(join(live.settings.DATA_DIR ?? '', 'ledger.sqlite'), { readonly: true })
  const file = join(folder, 'ledger.sqlite')
  writeFileSync(file, source.serialize())
  source.close()
  if (statement !== undefined) {
    const copy = new Database(file)
    expect(copy.prepare(statement).run().changes).toBe(1)
    copy.close()
  }
  return folder
}

const keyOfStore = () => ({
  SECRET_KEY: readFileSync(join(live.settings.DATA_DIR ?? '', 'secret.key'), 'utf8').trim(),
})

function signingKeys() {
  const pem = (key: KeyObject) => key.export({ type: 'pkcs8', format: 'pem' }).toString()
  return {
    CARD_KEY: pem(generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey),
    RECEIPT_KEY: pem(generateKeyPairSync('ed25519').privateKey),
  }
}

interface RpcCall {
  readonly id: number
  readonly method: string
  readonly params: readonly unknown[]
}

/** The node answers one method, or several, otherwise; undefined leaves a call alone. */
function answering(
  method: string | readonly string[],
  answer: (params: readonly unknown[]) => unknown,
): Settings {
  live.world.rpc.treat(async ({ body }) => {
    const call = JSON.parse(body) as RpcCall
    const result = [method].flat().includes(call.method) ? await answer(call.params) : undefined
    return result === undefined ? 'pass' : { status: 200, body: { jsonrpc: '2.0', id: call.id, result } }
  })
  return {}
}

/** Own settlements on a chain without the aggregator, whose node runs code without an address or not. */
const withoutAggregator = async (node: 'runs code' | 'runs none') => {
  const key = `0x${'5b'.repeat(32)}` as const
  await giveEther(chainUrl(), privateKeyToAddress(key))
  answering(['eth_getCode', 'eth_call'], ([what]) => {
    if (typeof what === 'string') return what === TOKEN.toLowerCase() ? '0x00' : '0x'
    const call = what as { readonly to?: string }
    return call.to === undefined && node === 'runs none' ? '0x' : undefined
  })
  return selfSettling(key)
}

/** A function of a contract returns a number. */
const calling = (selector: string, value: number) =>
  answering('eth_call', ([call]) =>
    (call as { data?: string }).data?.startsWith(selector)
      ? `0x${String(value).padStart(64, '0')}`
      : undefined,
  )

const headAged = (seconds: number) =>
  answering('eth_getBlockByNumber', async () => {
    const block = (await callRpc(chainUrl(), 'eth_getBlockByNumber', ['latest', false])) as object
    return { ...block, timestamp: `0x${(Math.floor(Date.now() / 1000) - seconds).toString(16)}` }
  })

const facilitatorWith = async (status: number, body = '<html>') => ({
  FACILITATOR_URL: await serve(
    createHttpServer((_request, response) => {
      response.writeHead(status, { location: 'https://www.x402.org/facilitator/supported' }).end(body)
    }),
  ),
})

const frontThatAnswers = async (status: number) => ({
  BASE_URL: await serve(createHttpServer((_request, response) => response.writeHead(status).end())),
})

type Forwarded = (given: string) => Record<string, string>
const append: Forwarded = (given) => ({
  'x-forwarded-for': [given, '127.0.0.1'].filter((each) => each !== '').join(', '),
})
const overwrite: Forwarded = () => ({ 'x-forwarded-for': '127.0.0.1' })

/** A proxy before the service that changes what it passes on. */
async function frontWith(options: {
  readonly answer?: Settings
  readonly payTo?: string
  readonly forwarded?: Forwarded
  readonly tls?: boolean
}): Promise<Settings> {
  const relay: RequestListener = async (request, response) => {
    const given = String(request.headers['x-forwarded-for'] ?? '')
    const doctor = request.headers['format-checker-doctor']
    const reply = await fetch(`${live.service.url}${request.url}`, {
      method: 'POST',
      headers: {
        ...(typeof doctor === 'string' ? { 'format-checker-doctor': doctor } : {}),
        ...(options.forwarded ?? append)(given),
      },
    })
    const terms = Buffer.from(reply.headers.get('payment-required') ?? '', 'base64').toString('utf8')
    const changed = terms.replaceAll(live.world.sandbox.payTo, options.payTo ?? live.world.sandbox.payTo)
    const count = reply.headers.get('format-checker-forwarded')
    response.writeHead(reply.status, {
      'PAYMENT-REQUIRED': Buffer.from(changed).toString('base64'),
      ...(count === null ? {} : { 'Format-Checker-Forwarded': count }),
      ...options.answer,
    })
    response.end()
  }
  const server = options.tls ? createHttpsServer(selfSigned(), relay) : createHttpServer(relay)
  return { BASE_URL: await serve(server) }
}

/** Until the end of the test. */
async function serve(server: HttpServer | HttpsServer): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const scheme = server instanceof HttpsServer ? 'https' : 'http'
  return `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Changes the case of the first letter, which breaks the checksum and nothing else. */
const swapCase = (digits: string) =>
  digits.replace(/[a-fA-F]/, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  )
