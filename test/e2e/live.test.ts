import { CHECKS } from 'format-checker-checks/internal/checks'
import { generatePrivateKey } from 'viem/accounts'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ConfigError, type LiveConfig, readConfig } from '../../src/config.ts'
import { createLog } from '../../src/log.ts'
import { startLive } from '../../src/main/live/start-live.ts'
import { TOKEN } from '../../src/sandbox/addresses.ts'
import { type HttpProxy, startHttpProxy } from '../support/http-proxy.ts'
import { type LiveService, startLiveService, startWorld, type World } from '../support/live-service.ts'
import { freePort } from '../support/ports.ts'

const VALUE = 'DE89370400440532013000'
const VERDICT = JSON.stringify(CHECKS.iban(VALUE))
const codeOf = async (response: Response) => ((await response.json()) as { code: string }).code

let world: World
beforeAll(async () => {
  world = await startWorld()
})
afterAll(() => world.stop())

let facilitator: HttpProxy
let service: LiveService | undefined
let serial = 0
/** A data directory of its own for each test. */
const newName = () => `data-${serial++}`
beforeEach(async () => {
  facilitator = await startHttpProxy(world.sandbox.facilitatorUrl)
})
afterEach(async () => {
  await service?.stop()
  service = undefined
  await facilitator.stop()
  world.rpc.treat(() => 'pass')
})

async function start(environment: Readonly<Record<string, string>> = {}): Promise<LiveService> {
  const settings = await world.settings(facilitator.url, newName())
  service = await startLiveService({ ...settings, ...environment })
  return service
}

/** Settings of a service that sells over channels too. */
const CHANNELS = { CHANNELS: 'on', RECEIVER_AUTHORIZER_KEY: generatePrivateKey() }

/** What the facilitator was asked for payments; whether it is there is asked now and then. */
const asked = () => facilitator.seen.filter(({ method }) => method === 'POST').map(({ path }) => path)

describe('live mode', () => {
  test('sells over the configured facilitator, with one request to it per sale', async () => {
    const { check, url, rows } = await start()
    const account = await world.newBuyer()
    const header = { 'PAYMENT-SIGNATURE': await world.pay(account) }
    const sold = await check('iban', VALUE, header)
    expect([sold.status, await sold.text()]).toEqual([200, VERDICT])
    expect(asked()).toEqual(['/settle'])
    expect(await world.sandbox.chainReader.balance(account.address)).toBe(999_000n)
    expect(rows().map(({ state }) => state)).toEqual(['settled'])
    expect(sold.headers.get('x-sandbox')).toBeNull()

    const types = (await (await fetch(`${url}/api/types`)).json()) as Record<string, string>
    expect(types).toMatchObject({ baseUrl: url, payTo: world.sandbox.payTo, facilitator: facilitator.url })
    expect(types.summary).not.toContain('SANDBOX')
    expect((await fetch(`${url}/sandbox.json`)).status).toBe(404)
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
  })

  test('with SETTLEMENT_PROOF=chain gives the verdict out once the transfer is on the chain', async () => {
    const { check, rows } = await start({ SETTLEMENT_PROOF: 'chain' })
    const account = await world.newBuyer()
    const sold = await check('iban', VALUE, { 'PAYMENT-SIGNATURE': await world.pay(account) })
    expect(sold.status).toBe(200)
    const [row] = rows()
    expect(row).toMatchObject({ state: 'settled', log_index: expect.any(Number) })
  })
})

describe('a facilitator that is down', () => {
  test('at boot leaves quotes and documents working, charges no one, and is used once it is up', async () => {
    await facilitator.stop()
    const port = await freePort()
    const settings = await world.settings(`http://127.0.0.1:${port}`, newName())
    service = await startLiveService(settings)
    const { check, url, logged } = service
    expect(logged.join('')).toContain('facilitator_silent')
    expect((await fetch(`${url}/api/types`)).status).toBe(200)
    expect((await fetch(`${url}/readyz`)).status).toBe(200)
    const quoted = await check('iban', VALUE)
    expect([quoted.status, quoted.headers.get('payment-required') !== null]).toEqual([402, true])

    const account = await world.newBuyer()
    const header = { 'PAYMENT-SIGNATURE': await world.pay(account) }
    const refused = await check('iban', VALUE, header)
    expect([refused.status, await codeOf(refused)]).toEqual([503, 'facilitator_unavailable'])
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(refused.headers.get('payment-required')).toBeNull()
    expect(await world.sandbox.chainReader.balance(account.address)).toBe(1_000_000n)

    facilitator = await startHttpProxy(world.sandbox.facilitatorUrl, port)
    const sold = await check('iban', VALUE, header)
    expect([sold.status, await sold.text(), sold.headers.get('payment-replayed')]).toEqual([
      200,
      VERDICT,
      null,
    ])
    expect(await world.sandbox.chainReader.balance(account.address)).toBe(999_000n)
  })

  test('at boot, and the node with it, keeps no service with channels from its start', async () => {
    facilitator.treat(() => 'drop')
    world.rpc.treat(() => 'drop')
    const { check, url } = await start(CHANNELS)
    expect((await fetch(`${url}/api/types`)).status).toBe(200)
    facilitator.treat(() => 'pass')
    world.rpc.treat(() => 'pass')
    const account = await world.newBuyer()
    const header = { 'PAYMENT-SIGNATURE': await world.pay(account) }
    await expect.poll(async () => (await check('iban', VALUE, header)).status).toBe(200)
    expect(await world.sandbox.chainReader.balance(account.address)).toBe(999_000n)
  })

  test.each([
    401, 403, 404, 429,
  ])('with a plain %i says that it did nothing, which the chain must confirm', async (status) => {
    const { check } = await start()
    const account = await world.newBuyer()
    const header = { 'PAYMENT-SIGNATURE': await world.pay(account) }
    facilitator.treat(() => ({ status, body: { error: 'no' } }))
    expect(await codeOf(await check('iban', VALUE, header))).toBe('payment_in_doubt')
    facilitator.treat(() => 'pass')
    expect((await check('iban', VALUE, header)).status).toBe(200)
    expect(await world.sandbox.chainReader.balance(account.address)).toBe(999_000n)
  })
})

describe('a facilitator whose answer is lost', () => {
  test('after it settled: the chain is asked, and the buyer gets what was paid for', async () => {
    const { check } = await start()
    const account = await world.newBuyer()
    facilitator.treat(({ path }) => (path === '/settle' ? 'lose-answer' : 'pass'))
    const header = { 'PAYMENT-SIGNATURE': await world.pay(account) }
    const sold = await check('iban', VALUE, header)
    expect([sold.status, await sold.text()]).toEqual([200, VERDICT])
    expect(await world.sandbox.chainReader.balance(account.address)).toBe(999_000n)
  })

  test('before it settled: in doubt without terms, then sold to the same request, and charged once', async () => {
    const { check, rows } = await start()
    const account = await world.newBuyer()
    facilitator.treat(() => 'drop')
    const header = { 'PAYMENT-SIGNATURE': await world.pay(account) }
    const doubtful = await check('iban', VALUE, header)
    expect([doubtful.status, await codeOf(doubtful)]).toEqual([503, 'payment_in_doubt'])
    expect(Number(doubtful.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(doubtful.headers.get('payment-required')).toBeNull()
    expect(rows().map(({ state }) => state)).toEqual(['in_doubt'])

    facilitator.treat(() => 'pass')
    const sold = await check('iban', VALUE, header)
    expect([sold.status, await sold.text()]).toEqual([200, VERDICT])
    expect(await world.sandbox.chainReader.balance(account.address)).toBe(999_000n)
  })

  test('and the chain with it: in doubt until the chain can be asked', async () => {
    const { check } = await start()
    const account = await world.newBuyer()
    const header = { 'PAYMENT-SIGNATURE': await world.pay(account) }
    facilitator.treat(({ path }) => (path === '/settle' ? 'lose-answer' : 'pass'))
    world.rpc.treat(() => ({ status: 503, body: {} }))
    expect(await codeOf(await check('iban', VALUE, header))).toBe('payment_in_doubt')
    expect(await world.sandbox.chainReader.balance(account.address)).toBe(999_000n)
    world.rpc.treat(() => 'pass')
    const replayed = await check('iban', VALUE, header)
    expect([replayed.status, await replayed.text()]).toEqual([200, VERDICT])
    expect(await world.sandbox.chainReader.balance(account.address)).toBe(999_000n)
  })
})

describe('a start of live mode that would lose money', () => {
  async function faultsOf(environment: Readonly<Record<string, string>>): Promise<readonly string[]> {
    const settings = await world.settings(facilitator.url, newName())
    const config = readConfig({ ...settings, ...environment }) as LiveConfig
    const starting = startLive(config, createLog({ level: 'silent' }))
    const error = await starting.then(
      async (running) => {
        await running.stop()
        throw new Error('it started')
      },
      (refusal: unknown) => refusal,
    )
    expect(error).toBeInstanceOf(ConfigError)
    return (error as ConfigError).faults
  }

  test('a facilitator that does not settle our kind', async () => {
    const kinds = [{ x402Version: 2, scheme: 'exact', network: 'eip155:84532' }]
    facilitator.treat(() => ({ status: 200, body: { kinds, extensions: [], signers: {} } }))
    expect(await faultsOf({})).toEqual([expect.stringMatching(/^FACILITATOR_URL: .*eip155:8453/)])
  })

  test('the token as PAY_TO, in any case of letters', async () => {
    expect(await faultsOf({ PAY_TO: TOKEN })).toEqual([expect.stringMatching(/^PAY_TO: /)])
    expect(await faultsOf({ PAY_TO: TOKEN.toLowerCase() })).toEqual([expect.stringMatching(/^PAY_TO: /)])
  })

  test('channels with a facilitator that does not settle them', async () => {
    const kinds = [{ x402Version: 2, scheme: 'exact', network: 'eip155:8453' }]
    facilitator.treat(() => ({ status: 200, body: { kinds, extensions: [], signers: {} } }))
    expect(await faultsOf(CHANNELS)).toEqual([
      'CHANNELS: FACILITATOR_URL does not settle the scheme batch-settlement on eip155:8453',
    ])
  })

  test('all of it at once, one line each', async () => {
    facilitator.treat(() => ({ status: 200, body: { kinds: [] } }))
    const faults = await faultsOf({ PAY_TO: TOKEN })
    expect(faults.map((fault) => fault.split(':')[0]).sort()).toEqual(['FACILITATOR_URL', 'PAY_TO'])
  })
})
