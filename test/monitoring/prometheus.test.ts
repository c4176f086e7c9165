/** A real Prometheus scrapes the real service in live mode, and fires the shipped alerts when things break. */
import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startHttpProxy } from '../support/http-proxy.ts'
import { type LiveService, startLiveService, startWorld, type World } from '../support/live-service.ts'
import { freePort } from '../support/ports.ts'
import { type RunningPrometheus, startPrometheus } from './run-prometheus.ts'

const TOKEN = randomBytes(32).toString('hex')
const IBAN = 'PL61109010140000071219812874'
const EMAIL = (index: number) => `buyer-${index}@example.org`

let world: World
let facilitator: Awaited<ReturnType<typeof startHttpProxy>>
let service: LiveService
let prometheus: RunningPrometheus
beforeAll(async () => {
  world = await startWorld()
  facilitator = await startHttpProxy(world.sandbox.facilitatorUrl)
  const adminPort = await freePort()
  service = await startLiveService({
    ...(await world.settings(facilitator.url)),
    ADMIN_PORT: String(adminPort),
    ADMIN_TOKEN: TOKEN,
  })
  prometheus = await startPrometheus({ port: adminPort, token: TOKEN })
})
afterAll(async () => {
  await prometheus.stop()
  await world.stop()
})

const buy = async (type: string, value: string) =>
  (await service.check(type, value, { 'PAYMENT-SIGNATURE': await world.pay(world.buyer) })).status
const alert = (name: string) =>
  expect.poll(() => prometheus.firing(), { message: name }).toContain(`FormatChecker${name}`)
const value = (expression: string) => expect.poll(() => prometheus.query(expression), { message: expression })

test('a healthy service is scraped, sells, and fires nothing', async () => {
  await value('up{job="format-checker"}').toEqual([1])
  expect(await buy('iban', IBAN)).toBe(200)
  await value('format_checker_paid_call_duration_seconds_count{outcome="sold"}').toEqual([1])
  await value('sum(format_checker_payment_trouble)').toEqual([0])
  await expect.poll(() => prometheus.firing()).toEqual([])
})

test('paid calls without a facilitator use up the budget of errors', async () => {
  await facilitator.stop()
  for (let index = 0; index < 8; index += 1) expect(await buy('email', EMAIL(index))).toBe(503)
  await alert('PaidErrorBudgetFast')
})

test('a node that is gone is the alert of its reason', async () => {
  await world.rpc.stop()
  await alert('ChainUnavailable')
})

test('a process that is gone is down', async () => {
  await service.stop()
  await alert('Down')
})
