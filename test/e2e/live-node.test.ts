/**
 * A service waits for its next look at the node, and for longer after a wrong answer. The tests wait together, each with
 * a node of its own.
 */
import { afterAll, beforeAll, describe, type TestContext, test } from 'vitest'
import { type HttpProxy, startHttpProxy } from '../support/http-proxy.ts'
import { startLiveService, startWorld, type World } from '../support/live-service.ts'

const VALUE = 'DE89370400440532013000'

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

/** A node in front of the chain that a test may spoil, and the service over it; both end with the test. */
async function nodeFor({ onTestFinished, task }: TestContext) {
  const rpcUrl = world.sandbox.rpcUrl ?? ''
  const rpc = await startHttpProxy(rpcUrl)
  onTestFinished(rpc.stop)
  const start = async (others: readonly string[] = []) => {
    const nodes = [rpc.url, ...others].join()
    const service = await startLiveService(
      await world.settings(world.sandbox.facilitatorUrl, `data-${task.id}`, nodes),
    )
    onTestFinished(service.stop)
    return service
  }
  return { rpc, start }
}

const paymentsOf = async (url: string) =>
  ((await (await fetch(`${url}/status.json`)).json()) as { payments: { state: string; reasons: string[] } })
    .payments
const codeOf = async (response: Response) => ((await response.json()) as { code: string }).code

const unavailable = (rpc: HttpProxy) => rpc.treat(() => ({ status: 503, body: {} }))
const answering = (results: Readonly<Record<string, unknown>>) => (rpc: HttpProxy) =>
  rpc.treat(({ body }) => {
    const { id, method } = JSON.parse(body) as { id: number; method: string }
    return method in results ? { status: 200, body: { jsonrpc: '2.0', id, result: results[method] } } : 'pass'
  })

describe.concurrent('a node', () => {
  test('that goes away later: no new sale, while every replica stays ready and answers what was sold', async (context) => {
    const { expect } = context
    const { rpc, start } = await nodeFor(context)
    const { check, url } = await start()
    const header = { 'PAYMENT-SIGNATURE': await world.pay(await world.newBuyer()) }
    expect((await check('iban', VALUE, header)).status).toBe(200)
    unavailable(rpc)
    const paused = { state: 'paused', reasons: ['chain_unavailable'] }
    await expect.poll(() => paymentsOf(url), { interval: 200 }).toEqual(paused)

    const account = await world.newBuyer()
    const other = { 'PAYMENT-SIGNATURE': await world.pay(account) }
    const refused = await check('iban', VALUE, other)
    expect([refused.status, await codeOf(refused)]).toEqual([503, 'chain_unavailable'])
    expect(await world.sandbox.chainReader.balance(account.address)).toBe(1_000_000n)
    const replayed = await check('iban', VALUE, header)
    expect([replayed.status, replayed.headers.get('payment-replayed')]).toEqual([200, 'true'])
    expect((await fetch(`${url}/api/types`)).status).toBe(200)
    expect((await check('iban', VALUE)).status).toBe(402)
    expect((await fetch(`${url}/healthz`)).status).toBe(200)
    expect((await fetch(`${url}/readyz`)).status).toBe(200)

    rpc.treat(() => 'pass')
    await expect.poll(() => paymentsOf(url), { interval: 200 }).toEqual({ state: 'ok', reasons: [] })
    expect((await check('iban', VALUE, other)).status).toBe(200)
  })

  test('that is away when the service starts, then serves another chain: sales pause until it is right, and everything else works', async (context) => {
    const { expect } = context
    const { rpc, start } = await nodeFor(context)
    unavailable(rpc)
    const { check, url } = await start()
    expect(await paymentsOf(url)).toEqual({ state: 'paused', reasons: ['chain_unavailable'] })
    answering({ eth_chainId: '0x1' })(rpc)
    await expect
      .poll(() => paymentsOf(url), { interval: 200 })
      .toEqual({ state: 'paused', reasons: ['chain_wrong'] })
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
    expect((await check('iban', VALUE)).status).toBe(402)
    const account = await world.newBuyer()
    const header = { 'PAYMENT-SIGNATURE': await world.pay(account) }
    expect((await check('iban', VALUE, header)).status).toBe(503)
    expect(await world.sandbox.chainReader.balance(account.address)).toBe(1_000_000n)

    rpc.treat(() => 'pass')
    await expect.poll(() => paymentsOf(url), { interval: 200 }).toEqual({ state: 'ok', reasons: [] })
    expect((await check('iban', VALUE, header)).status).toBe(200)
  })

  test.for([
    ['another chain', answering({ eth_chainId: '0x1' })],
    ['a chain without the token', answering({ eth_getCode: '0x', eth_call: '0x' })],
    ['a token of another name', answering({ eth_call: `0x${'11'.repeat(32)}` })],
  ] as const)('that serves %s stops the start', async ([, misbehave], context) => {
    const { rpc, start } = await nodeFor(context)
    misbehave(rpc)
    await context.expect(start()).rejects.toThrow('the node serves another chain than Base (8453)')
  })

  test('that is away beside a second one in RPC_URL that is well: sales go on', async (context) => {
    const { expect } = context
    const { rpc, start } = await nodeFor(context)
    unavailable(rpc)
    const { check, url } = await start([world.sandbox.rpcUrl ?? ''])
    expect(await paymentsOf(url)).toEqual({ state: 'ok', reasons: [] })
    const header = { 'PAYMENT-SIGNATURE': await world.pay(await world.newBuyer()) }
    expect((await check('iban', VALUE, header)).status).toBe(200)
  })
})
