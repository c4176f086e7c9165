import { CHECK_TYPES } from 'format-checker-checks/verdict'
import { afterEach, describe, expect, test } from 'vitest'
import { problemSender } from '../../../../src/http/body/problem.ts'
import { liveRoutes } from '../../../../src/surfaces/site/status/live-routes.ts'
import {
  type PaymentTrouble,
  type StatusDeps,
  statusReader,
} from '../../../../src/surfaces/site/status/status.ts'
import { serve } from '../../../http/http-harness.ts'
import { realRegistry } from '../../../support/registry.ts'

let service: Awaited<ReturnType<typeof serve>>
afterEach(() => service.close())

const start = async (troubles: StatusDeps['troubles'], now: () => number = () => 65_900) => {
  const status = statusReader({
    registry: realRegistry(),
    version: '1.2.0',
    troubles,
    startedAt: 5_000,
    now,
  })
  const sendProblem = problemSender('https://checks.example')
  const routes = liveRoutes({ sendProblem, ready: () => true, status })
  service = await serve((req, res) => routes(req, res, () => res.writeHead(418).end()))
}
const read = async () => (await fetch(`${service.url}/status.json`)).json()

describe('/status.json', () => {
  test('says how long which version runs with which rules, and that payments work', async () => {
    await start(async () => [[]])
    const response = await fetch(`${service.url}/status.json`)
    expect(response.status).toBe(200)
    expect(response.headers.get('cache-control')).toBe('no-store')
    const status = (await response.json()) as { rulesets: object }
    expect(status).toMatchObject({
      payments: { state: 'ok', reasons: [] },
      version: '1.2.0',
      uptimeSeconds: 60,
    })
    expect(Object.keys(status)).toEqual(['payments', 'version', 'uptimeSeconds', 'rulesets'])
    expect(Object.keys(status.rulesets)).toEqual(CHECK_TYPES)
  })

  test.each<[PaymentTrouble[], string]>([
    [['facilitator_silent'], 'degraded'],
    [['settlement_account_low'], 'degraded'],
    [['chain_unavailable'], 'paused'],
    [['facilitator_unsupported'], 'paused'],
    [['settlement_account_empty'], 'paused'],
    [['shutting_down'], 'paused'],
    [['facilitator_silent', 'chain_unavailable'], 'paused'],
  ])('says why payments do not work as they should: %s', async (reasons, state) => {
    await start(async () => [reasons])
    expect(await read()).toMatchObject({ payments: { state, reasons } })
  })

  test.each<[PaymentTrouble[], PaymentTrouble[], string]>([
    [['chain_unavailable'], [], 'degraded'],
    [[], ['chain_unavailable'], 'degraded'],
    [['chain_unavailable'], ['facilitator_silent'], 'degraded'],
    [['chain_unavailable'], ['settlement_account_empty', 'chain_unavailable'], 'paused'],
    [['shutting_down'], ['shutting_down'], 'paused'],
  ])('of two networks, %s and %s: %s', async (one, other, state) => {
    await start(async () => [one, other])
    expect(await read()).toMatchObject({ payments: { state, reasons: [...new Set([...one, ...other])] } })
  })

  test('counts a question that cannot be answered as a store that is down', async () => {
    await start(() => Promise.reject(new Error('secret')))
    expect(await read()).toMatchObject({ payments: { state: 'paused', reasons: ['store_unavailable'] } })
  })

  test('asks its parts no more than every two seconds, however many ask it', async () => {
    let asked = 0
    let now = 10_000
    await start(
      async () => {
        asked += 1
        return [[]]
      },
      () => now,
    )
    await Promise.all(Array.from({ length: 10 }, read))
    expect(asked).toBe(1)
    now += 2_000
    await read()
    expect(asked).toBe(2)
  })

  test('is read only, and at this path alone', async () => {
    await start(async () => [[]])
    const refused = await fetch(`${service.url}/status.json`, { method: 'POST' })
    expect(refused.status).toBe(405)
    expect((await fetch(`${service.url}/status.json//`)).status).toBe(418)
    expect((await fetch(`${service.url}/status.json`, { method: 'HEAD' })).status).toBe(200)
  })
})
