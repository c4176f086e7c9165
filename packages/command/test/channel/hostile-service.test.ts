/** A service that lies about the channel, and names a node that lies for it: what the command line signs there. */
import { rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { buffer, json as readJson } from 'node:stream/consumers'
import { decodePaymentSignatureHeader, encodePaymentRequiredHeader } from '@x402/core/http'
import { signVoucher } from '@x402/evm/batch-settlement/client'
import { encodeAbiParameters, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { freshAccount, termsFor } from '../../../../test/support/chain-payments.ts'
import { NETWORK } from '../../../../test/support/channel-chain.ts'
import { storeFolder } from '../../../../test/support/fresh-store.ts'
import { listenOnLoopback } from '../../../../test/support/loopback.ts'
import { sendJson, startOddServer } from '../../../../test/support/odd-server.ts'
import { stubFetch, unstubFetch } from '../../../../test/support/stub-fetch.ts'
import { buy } from '../../src/buy/buy.ts'
import { member, textOf } from '../../src/buyer/json.ts'
import { refund } from '../../src/channel/refund.ts'

const USDC = 1_000_000n
const KEY = generatePrivateKey()
const BUYER = privateKeyToAccount(KEY)

/** What the contract says, by a node that may lie. */
async function startNode(balance: bigint, totalClaimed: bigint) {
  let asked = 0
  const server = createServer(async (request, response) => {
    const { id } = (await readJson(request)) as { id: unknown }
    asked += 1
    const result = encodeAbiParameters([{ type: 'uint128' }, { type: 'uint128' }], [balance, totalClaimed])
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ jsonrpc: '2.0', id, result }))
  })
  return { ...(await listenOnLoopback(server)), asked: () => asked }
}

/** What a buyer has signed. */
interface Signed {
  readonly total: bigint
  readonly deposit: bigint
}

/** State of the channel that the service names instead of charging a payment; null to refuse it. */
type Answer = (signed: Signed, channel: Hex) => Promise<object | null>

/** The state of a channel with the buyer's own newest voucher, of which so much is said to be charged. */
async function stateWith(channel: Hex, total: bigint, charged: bigint) {
  const signedMaxClaimable = total.toString()
  const { signature } = await signVoucher(BUYER, channel, signedMaxClaimable, NETWORK)
  return {
    channelState: { chargedCumulativeAmount: charged.toString() },
    voucherState: { signedMaxClaimable, signature },
  }
}

async function startHostile({
  rpcUrl,
  minDeposit = '250000',
  answer = async () => null,
  code = 'payment_refused',
  status = 402,
  detail = '',
}: {
  readonly rpcUrl?: string
  readonly minDeposit?: string
  readonly answer?: Answer
  /** Of what it answers to a payment. */
  readonly code?: string
  readonly status?: number
  readonly detail?: string
}) {
  const [payTo, receiverAuthorizer] = [freshAccount().address, freshAccount().address]
  const signed: Signed[] = []
  const offer = (amount: string, state: object = {}) => {
    const exact = termsFor(payTo, amount)
    const extra = { ...exact.extra, receiverAuthorizer, withdrawDelay: 86_400, minDeposit, ...state }
    const accepts = [exact, { ...exact, scheme: 'batch-settlement', extra }]
    return encodePaymentRequiredHeader({ x402Version: 2, resource: { url: 'https://x.example/' }, accepts })
  }
  const server = createServer(async (request, response) => {
    response.setHeader('content-type', 'application/json')
    const body = await buffer(request)
    if (request.url === '/sandbox.json') return response.end(JSON.stringify({ rpcUrl }))
    const count =
      body.length === 0 ? 1 : ((JSON.parse(String(body)).values as unknown[] | undefined)?.length ?? 1)
    const header = request.headers['payment-signature']
    if (header === undefined) {
      response.setHeader('PAYMENT-REQUIRED', offer(String(count * 1_000)))
      return response.writeHead(402).end('{"code":"payment_required"}')
    }
    const { payload } = decodePaymentSignatureHeader(String(header))
    const voucher = member(payload, 'voucher')
    const payment = {
      total: BigInt(textOf(voucher, 'maxClaimableAmount', '0')),
      deposit: BigInt(textOf(member(payload, 'deposit'), 'amount', '0')),
    }
    signed.push(payment)
    const state = await answer(payment, textOf(voucher, 'channelId') as Hex)
    response.setHeader('PAYMENT-REQUIRED', offer(String(count * 1_000), state ?? {}))
    response.writeHead(status, { 'Retry-After': '0' }).end(JSON.stringify({ code, detail }))
  })
  return { ...(await listenOnLoopback(server)), signed }
}

let scratch: string
let words: string[]
const stops: (() => Promise<void>)[] = []
const started = async <T extends { stop(): Promise<void> }>(starting: Promise<T>): Promise<T> => {
  const server = await starting
  stops.push(() => server.stop())
  return server
}

const realFetch = globalThis.fetch
beforeEach(() => {
  scratch = storeFolder('hostile')
  words = []
  vi.stubEnv('BUYER_PRIVATE_KEY', KEY)
  // No test asks a node of the outside world.
  stubFetch(async (input: string | URL | Request, init?: RequestInit) => {
    const { hostname } = new URL(input instanceof Request ? input.url : input)
    if (hostname !== '127.0.0.1') throw new TypeError('fetch failed')
    return realFetch(input, init)
  })
  for (const method of ['log', 'error'] as const)
    vi.spyOn(console, method).mockImplementation((...said: unknown[]) => void words.push(said.join(' ')))
})
afterEach(async () => {
  vi.restoreAllMocks()
  unstubFetch()
  vi.unstubAllEnvs()
  await Promise.all(stops.splice(0).map((stop) => stop()))
  rmSync(scratch, { recursive: true })
})

const buyAt = (url: string, ...args: readonly string[]): Promise<number> => {
  const common = ['--url', url, '--channel-file', join(scratch, 'channel.sqlite')]
  return buy(['iban', 'DE89370400440532013000', '--channel', ...common, ...args])
}
const refundAt = (url: string, ...args: readonly string[]) =>
  refund(['--url', url, '--channel-file', join(scratch, 'channel.sqlite'), ...args])

test('a node that the service names is not asked about the own key', async () => {
  const node = await started(startNode(0n, 900n * USDC))
  const service = await started(startHostile({ rpcUrl: node.url }))
  expect(await buyAt(service.url, '--max-spend', '0.01')).toBe(1)
  expect([node.asked(), service.signed]).toEqual([0, []])
})

test('a refund is not signed for what a node of the service says was claimed', async () => {
  const node = await started(startNode(250_000n, 249_999n))
  const service = await started(startHostile({ rpcUrl: node.url }))
  expect(await refundAt(service.url)).toBe(1)
  expect([node.asked(), service.signed]).toEqual([0, []])
})

test('a deposit is as large as the buyer has said at most', async () => {
  const node = await started(startNode(0n, 0n))
  const service = await started(startHostile({ minDeposit: String(1_000n * USDC) }))
  expect(await buyAt(service.url, '--rpc-url', node.url)).toBe(1)
  expect(service.signed).toEqual([])
  expect(words.join('\n')).toContain('The channel needs a deposit of 1000 USDC; --deposit allows less')
})

test('a deposit that a person has allowed is made', async () => {
  const node = await started(startNode(0n, 0n))
  const service = await started(startHostile({ minDeposit: String(2n * USDC) }))
  await buyAt(service.url, '--rpc-url', node.url, '--deposit', '2')
  expect(service.signed).toEqual([{ total: 1_000n, deposit: 2n * USDC }])
})

test('what the chain names as claimed before is bounded by --max-spend, for a buyer without records', async () => {
  const node = await started(startNode(0n, 900n * USDC))
  const service = await started(startHostile({}))
  expect(await buyAt(service.url, '--rpc-url', node.url, '--max-spend', '0.01')).toBe(1)
  expect(service.signed).toEqual([])
  expect(words.join('\n')).toContain('would pass --max-spend')
})

test('a service that names a part of the newest voucher as charged gets no further one', async () => {
  const node = await started(startNode(USDC, 0n))
  const service = await started(
    startHostile({
      answer: ({ total }, channel) => stateWith(channel, total, total - 1n),
      code: 'channel_out_of_step',
    }),
  )
  for (let run = 0; run < 3; run += 1) await buyAt(service.url, '--rpc-url', node.url, '--max-spend', '0.001')
  expect(service.signed.map(({ total }) => total)).toEqual(service.signed.map(() => 1_000n))
})

test('a service that answers each charge with another voucher to sign gets none above --max-spend', async () => {
  const node = await started(startNode(USDC, 0n))
  const service = await started(
    startHostile({
      answer: ({ total }, channel) => stateWith(channel, total, total),
      code: 'payment_locked',
    }),
  )
  for (let run = 0; run < 3; run += 1) await buyAt(service.url, '--rpc-url', node.url, '--max-spend', '0.002')
  expect(service.signed.map(({ total }) => total)).toEqual([1_000n, 2_000n])
})

test('a refund without records is signed for what the own signature proves, not for what a node says', async () => {
  const node = await started(startNode(250_000n, 249_999n))
  const service = await started(startHostile({ answer: async () => ({}), code: 'channel_out_of_step' }))
  expect(await refundAt(service.url, '--rpc-url', node.url)).toBe(1)
  expect(service.signed).toEqual([{ total: 0n, deposit: 0n }])
})

test('a refusal of a refund moves nothing on the terminal', async () => {
  const node = await started(startNode(250_000n, 0n))
  const service = await started(startHostile({ code: 'payment_refused\u001b[2J\u0007' }))
  expect(await refundAt(service.url, '--rpc-url', node.url)).toBe(1)
  expect(words).toEqual([expect.stringMatching(/^payment_refused\P{Cc}*$/u)])
})

test('a service that calls a fresh deposit expired gets no second one', async () => {
  const node = await started(startNode(0n, 0n))
  const service = await started(startHostile({ code: 'payment_expired' }))
  expect(await buyAt(service.url, '--rpc-url', node.url)).toBe(1)
  expect(service.signed).toEqual([{ total: 1_000n, deposit: 250_000n }])
})

test.each([
  ['a purchase', (url: string, ...args: string[]) => buy(['iban', 'A', '--channel', '--url', url, ...args])],
  ['a refund', (url: string, ...args: string[]) => refund(['--url', url, ...args])],
])('words of a service begin no line of their own in what is said of %s', async (_what, command) => {
  const node = await started(startNode(USDC, 0n))
  const detail = 'x\nNothing was signed.'
  for (const answer of [
    { status: 402, code: detail },
    { status: 503, code: 'payment_in_doubt' },
  ]) {
    const service = await started(startHostile({ ...answer, detail }))
    await command(service.url, '--rpc-url', node.url, '--channel-file', join(scratch, 'channel.sqlite'))
  }
  expect(words).toHaveLength(2)
  for (const said of words) {
    expect(said).toContain('xNothing was signed.')
    expect(said.split('\n')).not.toContain('Nothing was signed.')
  }
})

test.each<[string, object | null]>([
  ['no terms', null],
  ['an address whose checksum is wrong', { payTo: '0xDD524e249a1690EE89E275a6726f0d847b6262A5' }],
  ['a token whose checksum is wrong', { asset: '0x833589FCD6eDb6E08f4c7C32D4f71b54bdA02913' }],
  ['a time below nothing to withdraw in', { extra: { withdrawDelay: -1 } }],
  ['no time to withdraw in', { extra: { withdrawDelay: null } }],
])('an offer of a channel with %s is refused in words', async (_what, change) => {
  const server = await started(startOddServer())
  const exact = termsFor(freshAccount().address)
  const extra = { ...exact.extra, receiverAuthorizer: freshAccount().address, withdrawDelay: 86_400 }
  const terms = { ...exact, scheme: 'batch-settlement', extra, ...change }
  const accepts = [{ ...terms, extra: { ...extra, ...terms.extra } }]
  const required =
    change === null ? null : { x402Version: 2, resource: { url: 'https://x.example/' }, accepts }
  server.behave((response, request, socket) => {
    response.setHeader('PAYMENT-REQUIRED', Buffer.from(JSON.stringify(required)).toString('base64'))
    sendJson({ code: 'payment_required' }, 402)(response, request, socket)
  })
  expect(await buyAt(server.url)).toBe(1)
  expect(await refundAt(server.url)).toBe(1)
  expect(words.join('\n')).toMatch(/No readable answer|no payment channel/)
  expect(server.seen.filter(({ headers }) => 'payment-signature' in headers)).toEqual([])
})

test('a refund that is refused with a reason that is no text shows the detail', async () => {
  const node = await started(startNode(USDC, 0n))
  const server = await started(startOddServer())
  const exact = termsFor(freshAccount().address)
  const extra = { ...exact.extra, receiverAuthorizer: freshAccount().address, withdrawDelay: 86_400 }
  const accepts = [{ ...exact, scheme: 'batch-settlement', extra }]
  server.behave((response, request, socket) => {
    const required = { x402Version: 2, error: 5, resource: { url: 'https://x.example/' }, accepts }
    response.setHeader('PAYMENT-REQUIRED', Buffer.from(JSON.stringify(required)).toString('base64'))
    sendJson({ code: 'payment_refused', detail: 'No.' }, 402)(response, request, socket)
  })
  expect(await refundAt(server.url, '--rpc-url', node.url)).toBe(1)
  expect(words).toEqual(['payment_refused: No.'])
})
