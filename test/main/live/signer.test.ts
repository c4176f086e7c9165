import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { afterAll, afterEach, test as anyTest, beforeAll, describe, expect, onTestFinished } from 'vitest'
import { TOKEN } from '../../../src/sandbox/addresses.ts'
import { giveEther } from '../../../src/sandbox/chain/provision.ts'
import { CLI, run } from '../../support/command.ts'
import { type LiveService, startLiveService, startWorld, type World } from '../../support/live-service.ts'
import { payloadFor } from '../../support/payment-header.ts'
import { LACKS } from '../../support/platform.ts'
import { type SignerProcess, startSigner } from '../../support/signer-process.ts'
import {
  IN_BAND,
  order,
  payRequest,
  sendRequest,
  stateOf,
  taskOf,
  taskRequest,
} from '../../surfaces/a2a/a2a-client.ts'

const test = anyTest.skipIf(LACKS.unixSockets)

const VALUE = 'DE89370400440532013000'
const key = generatePrivateKey()

let world: World
let directory: string
let signer: SignerProcess | undefined
let service: LiveService | undefined
let serial = 0
beforeAll(async () => {
  world = await startWorld()
  directory = mkdtempSync(join(tmpdir(), 'format-checker-test-'))
  await giveEther(world.sandbox.rpcUrl ?? '', privateKeyToAccount(key).address)
})
afterEach(async () => {
  await service?.stop()
  await signer?.stop()
  service = undefined
  signer = undefined
})
afterAll(async () => {
  await world.stop()
  rmSync(directory, { recursive: true })
})

/** Gas on the local chain costs many times what it does on Base. */
const ON_LOCAL_CHAIN = { SETTLEMENT_MAX_COST_USD: '1000', SETTLEMENT_ETH_USD: '1' }
const holdKeys = async () => {
  signer = await startSigner(directory, { SETTLEMENT_KEY: key, SIGNER_DAILY_USD: '5000', ...ON_LOCAL_CHAIN })
  return signer
}
const settings = async () => ({
  ...(await world.settings('self', `signer-${serial++}`)),
  SIGNER_SOCKET: join(directory, 'signer.sock'),
  SETTLEMENT_DAILY_LOSS_USD: '100000',
  ...ON_LOCAL_CHAIN,
})
const start = async (more: Readonly<Record<string, string>> = {}) => {
  service = await startLiveService({ ...(await settings()), ...more })
  return service
}
const status = async ({ url }: LiveService) => (await (await fetch(`${url}/status.json`)).json()) as unknown
const pay = async () => ({ 'PAYMENT-SIGNATURE': await world.pay(await world.newBuyer()) })

describe('a service whose keys are in another process', () => {
  test('sells, and keeps no key in its own directory or settings', async () => {
    const { output } = await holdKeys()
    const live = await start()
    expect((await live.check('iban', VALUE, await pay())).status).toBe(200)
    const keys = (await (await fetch(`${live.url}/.well-known/jwks.json`)).json()) as { keys: object[] }
    expect(keys.keys).toHaveLength(2)
    for (const form of ['card', 'offer', 'transaction', 'receipt'])
      await expect.poll(output).toContain(`"type":"${form}"`)
  })

  test('pauses before any charge while that is away, and sells again when it is back', async () => {
    await holdKeys()
    const live = await start()
    const paid = await pay()
    await signer?.stop('SIGKILL')
    const away = { payments: { state: 'paused', reasons: ['signer_away'] } }
    await expect.poll(() => status(live)).toMatchObject(away)
    expect((await live.check('iban', VALUE, paid)).status).toBe(503)
    expect(live.rows().filter(({ state }) => state !== 'claimed')).toEqual([])
    await holdKeys()
    await expect.poll(() => status(live), { timeout: 5_000 }).toMatchObject({ payments: { state: 'ok' } })
    expect((await live.check('iban', VALUE, paid)).status).toBe(200)
  })

  test('shows a paid task once that is back, and says until then that its payment is in doubt', async () => {
    await holdKeys()
    const live = await start()
    const send = async (body: object, headers: Readonly<Record<string, string>> = {}) => {
      const reply = await fetch(`${live.url}/a2a`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'A2A-Version': '1.0', ...headers },
        body: JSON.stringify(body),
      })
      return { status: reply.status, retryAfter: reply.headers.get('retry-after'), json: await reply.json() }
    }
    const unpaid = taskOf((await send(sendRequest('1.0', { parts: [order('iban', VALUE)] }), IN_BAND)).json)
    const payload = await payloadFor(await world.newBuyer(), world.sandbox.payTo)
    const paid = taskOf((await send(payRequest('1.0', unpaid.id, payload), IN_BAND)).json)
    expect(stateOf(paid)).toBe('COMPLETED')
    await signer?.stop('SIGKILL')
    const { status, retryAfter, json } = await send(taskRequest('1.0', 'get', unpaid.id))
    expect([status, retryAfter, json.error.data[0].metadata]).toEqual([
      503,
      '10',
      expect.objectContaining({ code: 'payment_in_doubt', charged: 'unknown', retry: 'unchanged' }),
    ])
    const fresh = await send(sendRequest('1.0', { parts: [order('iban', VALUE)] }), IN_BAND)
    expect(JSON.stringify(fresh.json)).not.toContain('internal_error')
    await holdKeys()
    await expect
      .poll(async () =>
        stateOf(taskOf((await send(taskRequest('1.0', 'get', unpaid.id))).json) ?? { status: {} }),
      )
      .toBe('COMPLETED')
    expect(live.logged.join()).not.toContain('"event":"defect"')
    expect(live.rows()).toHaveLength(1)
  })

  test('does not start without it, nor with a key of its own beside it', async () => {
    await expect(start()).rejects.toThrow('SIGNER_SOCKET: no signer answers there; start')
    await holdKeys()
    await expect(start({ SETTLEMENT_KEY: key })).rejects.toThrow(
      'SETTLEMENT_KEY: is set beside SIGNER_SOCKET',
    )
    await expect(start({ CHANNELS: 'on' })).rejects.toThrow(
      'SIGNER_SOCKET: the signer has no RECEIVER_AUTHORIZER_KEY',
    )
  })

  test('ends if its start fails, although the signer is still connected', async () => {
    await holdKeys()
    const { child, ended, stderr } = run([CLI, 'serve'], { env: { ...(await settings()), PAY_TO: TOKEN } })
    onTestFinished(() => void child.kill('SIGKILL'))
    expect(await ended).toEqual({ code: 1, signal: null })
    expect(stderr.join()).toContain('PAY_TO: is the token itself')
  })
})
