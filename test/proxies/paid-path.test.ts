/** A stranger's proxy with its default settings stands between the buyer and the service: every surface still sells. */
import { x402Client } from '@x402/core/client'
import { registerExactEvmScheme } from '@x402/evm/exact/client'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { countersOf } from '../support/buy-over.ts'
import { type LiveService, startLiveService, startWorld, type World } from '../support/live-service.ts'
import { realRegistry } from '../support/registry.ts'
import { http2Send } from './http2-send.ts'
import { PROXIES } from './proxy-configs.ts'
import { type RunningProxy, startProxy } from './run-proxy.ts'

/** Sixty characters, over HTTPS: what the head of a 402 says of the host stands in it several times. */
const BASE_URL = `https://${'format-checker'.padEnd(44, 'x')}.validation.test`
const IBAN = 'PL61109010140000071219812874'

let world: World
let service: LiveService
let proxy: RunningProxy | undefined
beforeAll(async () => {
  world = await startWorld()
  service = await startLiveService({
    ...(await world.settings(world.sandbox.facilitatorUrl)),
    BASE_URL,
  })
})
afterAll(async () => {
  await service.stop()
  await world.stop()
})
afterEach(() => proxy?.stop())

describe.each(PROXIES.map((each) => [each.name, each] as const))('behind %s', (_, each) => {
  test('every surface quotes, sells and gives the receipt', async () => {
    proxy = await startProxy(each, service.port)
    const clients = countersOf(proxy.url, each.http2 ? http2Send : fetch)
    const iban = realRegistry().all.find(({ id }) => id === 'iban')!
    const payer = new x402Client()
    registerExactEvmScheme(payer, { signer: await world.newBuyer() })
    for (const [surface, client] of Object.entries(clients)) {
      const { required } = await client.ask(iban, IBAN)
      const bought = await client.buy(iban, IBAN, await payer.createPaymentPayload(required))
      expect(bought.verdict, surface).toMatchObject({ type: 'iban', valid: true })
      expect(bought.settlement.success, surface).toBe(true)
    }
  })
})

test('the host is as long as the promise says', () => {
  expect(new URL(BASE_URL).hostname).toHaveLength(60)
})
