/** One channel over two replicas on one database, one of which is killed again and again. */
import { generatePrivateKey } from 'viem/accounts'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { channelClient } from '../support/channel-client.ts'
import { validValue } from '../support/identifiers.ts'
import { testDatabases } from '../support/test-databases.ts'
import { type LiveService, startLiveService } from './bench/live-service.ts'
import { commonKeys, freshPayee, PRICE, startWorld, type World } from './bench/world.ts'

// Two processes and a database, however busy the machine is.
vi.setConfig({ testTimeout: 600_000, hookTimeout: 600_000 })

const CALLS = 260
const KILL_EVERY = 60

let world: World
const databases = testDatabases()
const replicas: LiveService[] = []
beforeAll(async () => {
  world = await startWorld()
})
afterAll(async () => {
  for (const replica of replicas) await replica.remove()
  await world.stop()
})

test('the stock client is charged once for each answer, whichever replica gives it', async () => {
  const environment = {
    ...world.settings(freshPayee()),
    ...commonKeys(),
    DATABASE_URL: await databases.fresh(),
    CHANNELS: 'on',
    RECEIVER_AUTHORIZER_KEY: generatePrivateKey(),
  }
  const baseUrl = 'http://127.0.0.1:1'
  replicas.push(
    await startLiveService({ environment, baseUrl }),
    await startLiveService({ environment, baseUrl }),
  )
  const [first, second] = replicas as [LiveService, LiveService]
  const account = await world.buyer(2 * CALLS)
  const funds = await world.balance(account.address)
  const client = channelClient({ account, rpcUrl: world.rpcUrl })
  for (let call = 0; call < CALLS; call += 1) {
    const isKilled = call % KILL_EVERY === KILL_EVERY - 1
    const restart = isKilled ? second.kill().then(() => second.start()) : null
    // A reply is lost now and then: the same call goes to the other replica.
    for (let tries = call; ; tries += 1) {
      const { url } = tries % 2 === 0 ? first : second
      const answer = await client.check(url, validValue('iban', call)).catch(() => null)
      const body = (await answer?.json().catch(() => null)) as { valid?: boolean } | null
      if (answer?.status === 200 && body !== null) {
        expect(body.valid).toBe(true)
        break
      }
      expect([undefined, 200, 402, 503]).toContain(answer?.status)
    }
    await restart
  }
  expect((await client.refund(first.url)).success).toBe(true)
  expect(await world.balance(account.address)).toBe(funds - BigInt(CALLS) * PRICE)
})
