import { afterEach, describe, expect, test } from 'vitest'
import { CHECKS, RULESETS } from '../../../src/checks/checks.ts'
import { problemSender } from '../../../src/http/body/problem.ts'
import type { CountTotal } from '../../../src/ledger/ledger.ts'
import { loadSkillFolders } from '../../../src/skills/load.ts'
import { buildRegistry } from '../../../src/skills/registry.ts'
import { statsRoutes } from '../../../src/surfaces/status/stats.ts'
import { serve } from '../../http/http-harness.ts'

const registry = buildRegistry(loadSkillFolders(), { checks: CHECKS, rulesets: RULESETS })
const START = Date.parse('2026-11-21T10:00:00Z')

let service: Awaited<ReturnType<typeof serve>>
afterEach(() => service.close())

const sold = (checkType: string, surface: string, count: number): CountTotal => ({
  checkType,
  surface,
  outcome: 'sold',
  count,
})

async function start(counts: (from: string, to: string) => Promise<readonly CountTotal[]>) {
  const asked: string[] = []
  const clock = { now: START + 90_500 }
  const stats = statsRoutes({
    sendProblem: problemSender('https://checks.example'),
    ledger: {
      countTotals: (from, to) => {
        asked.push(`${from} ${to}`)
        return counts(from, to)
      },
    },
    registry,
    version: '1.2.0',
    sandbox: false,
    startedAt: START,
    now: () => clock.now,
  })
  service = await serve((req, res) => stats(req, res, () => res.writeHead(418).end()))
  return { asked, clock, get: () => fetch(`${service.url}/stats.json`) }
}

describe('the public counts', () => {
  test('are steps of five, hide fewer than five, and leave nothing to subtract', async () => {
    const { get } = await start(async (from) =>
      from === '2026-10-22'
        ? [
            sold('iban', 'rest', 14),
            sold('email', 'rest', 4),
            { ...sold('iban', 'mcp', 900), outcome: 'replayed' },
          ]
        : [sold('iban', 'rest', 1_203), sold('iban', 'a2a', 5)],
    )
    const response = await get()
    expect(response.headers.get('cache-control')).toBe('public, max-age=60')
    const body = (await response.json()) as Record<string, unknown>
    expect(body).toMatchObject({
      version: '1.2.0',
      uptimeSeconds: 90,
      rulesets: { iban: RULESETS.iban },
      recent: {
        days: 30,
        from: '2026-10-22',
        to: '2026-11-20',
        sold: 15,
        byType: { iban: 10, email: null, 'pl-nip': null },
        bySurface: { rest: 15, a2a: null, mcp: null },
      },
      total: { sold: 1_205, byType: { iban: 1_205 }, bySurface: { rest: 1_200, a2a: 5, mcp: null } },
    })
    expect(JSON.stringify(body)).not.toMatch(/payer|0x|amount|revenue|usd|\$/i)
  })

  test('are those of finished days: what is sold today moves nothing, however it is padded', async () => {
    const { asked, clock, get } = await start(async (_from, to) =>
      to >= '2026-11-21' ? [sold('pl-pesel', 'rest', 5)] : [],
    )
    expect(await (await get()).json()).toMatchObject({ recent: { byType: { 'pl-pesel': null } } })
    expect(asked).toEqual(['2026-10-22 2026-11-20', '2000-01-01 2026-11-20'])
    clock.now = Date.parse('2026-11-22T00:00:01Z')
    expect(await (await get()).json()).toMatchObject({
      recent: { to: '2026-11-21', byType: { 'pl-pesel': 5 } },
    })
  })

  test('are read once a minute, however many ask', async () => {
    const { asked, clock, get } = await start(async () => [])
    await Promise.all(Array.from({ length: 20 }, get))
    expect(asked).toHaveLength(2)
    clock.now += 60_001
    await get()
    expect(asked).toHaveLength(4)
  })

  test('are 503 while the store is away, and there again afterwards', async () => {
    let away = true
    const { get } = await start(async () => {
      if (away) throw new Error('away')
      return []
    })
    const failed = await get()
    expect(failed.status).toBe(503)
    expect(failed.headers.get('retry-after')).toBe('5')
    expect(await failed.json()).toMatchObject({ code: 'store_unavailable' })
    away = false
    expect((await get()).status).toBe(200)
  })

  test('answer GET and HEAD at one address', async () => {
    await start(async () => [])
    expect((await fetch(`${service.url}/stats.json`, { method: 'HEAD' })).status).toBe(200)
    expect((await fetch(`${service.url}/stats.json`, { method: 'POST' })).status).toBe(405)
    expect((await fetch(`${service.url}/stats.json//`)).status).toBe(418)
  })
})
