import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { RULESETS } from '../../../src/checks/checks.ts'
import type { CheckType } from '../../../src/checks/verdict.ts'
import { problemSender } from '../../../src/http/body/problem.ts'
import type { Ledger } from '../../../src/ledger/ledger.ts'
import type { CountTotal, PayerSales } from '../../../src/ledger/operator-figures.ts'
import { DAY_MS, dayOf } from '../../../src/ledger/utc-days.ts'
import { statsRoutes } from '../../../src/surfaces/status/stats.ts'
import { serve } from '../../http/http-harness.ts'
import { newPayment } from '../../support/payment-rows.ts'
import { realRegistry } from '../../support/registry.ts'
import { openTempLedger, rowIn, type TempLedger } from '../../support/temp-ledger.ts'

const registry = realRegistry()
const START = Date.parse('2026-11-21T10:00:00Z')

let service: Awaited<ReturnType<typeof serve>>
afterEach(() => service.close())

const sold = (checkType: string, surface: string, count: number): CountTotal => ({
  checkType,
  surface,
  outcome: 'sold',
  count,
})

function payersOf(checkType: string, count: number): readonly PayerSales[] {
  const sold = { surface: 'rest', sales: 1, values: 1, revenue: 1_000n }
  return Array.from({ length: count }, (_, index) => ({ ...sold, checkType, payer: `0x${index}` }))
}

/** Enough payers for every type to be shown. */
const MANY: readonly PayerSales[] = registry.all.flatMap(({ id }) => payersOf(id, 5))

async function start(
  counts: (from: string, to: string) => Promise<readonly CountTotal[]>,
  sales: Ledger['sales'] = async () => MANY,
) {
  const asked: string[] = []
  const countTotals: Ledger['countTotals'] = (from, to) => {
    asked.push(`${from} ${to}`)
    return counts(from, to)
  }
  return { asked, ...(await startOver({ countTotals, sales })) }
}

async function startOver(ledger: Pick<Ledger, 'countTotals' | 'sales'>) {
  const clock = { now: START + 90_500 }
  const stats = statsRoutes({
    sendProblem: problemSender('https://checks.example'),
    ledger,
    registry,
    version: '1.2.0',
    sandbox: false,
    startedAt: START,
    now: () => clock.now,
  })
  service = await serve((req, res) => stats(req, res, () => res.writeHead(418).end()))
  return { clock, get: () => fetch(`${service.url}/stats.json`) }
}

describe('an observer who knows every payment from the chain', () => {
  let store: TempLedger
  beforeEach(async () => {
    store = await openTempLedger()
  })
  afterEach(() => store.close())

  /** One sale as the service records it: a settled row and a count. */
  async function sell(checkType: CheckType, payer: string, at: number): Promise<void> {
    await rowIn(store.ledger, newPayment({ payer: `0x${payer.repeat(40)}`, checkType, claimedAt: at }), {
      state: 'settled',
      settledAt: at,
    })
    await store.ledger.addCounts([{ day: dayOf(at), ...sold(checkType, 'rest', 1) }])
  }

  test('learns nothing by padding a type up to the step before another payer buys', async () => {
    const { clock, get } = await startOver(store.ledger)
    const typesShown = async () => {
      clock.now += 60_001
      const { recent, total } = (await (await get()).json()) as Record<string, { byType: object }>
      return { recent: recent?.byType, total: total?.byType }
    }
    for (let padding = 0; padding < 4; padding += 1) await sell('pl-pesel', 'a', clock.now)
    const before = await typesShown()
    await sell('pl-pesel', 'b', clock.now)
    expect(await typesShown()).toEqual(before)
    clock.now += DAY_MS
    expect(await typesShown()).toEqual(before)
    expect(Object.values(before.total ?? {})).toEqual(registry.all.map(() => null))
  })

  test('sees a type once five payers bought it on finished days', async () => {
    const { clock, get } = await startOver(store.ledger)
    for (const payer of ['a', 'b', 'c', 'd', 'e']) await sell('iban', payer, clock.now)
    const shown = async () => ((await (await get()).json()) as { recent: { byType: object } }).recent
    expect(await shown()).toMatchObject({ sold: null, byType: { iban: null } })
    clock.now += DAY_MS
    expect(await shown()).toMatchObject({ sold: 5, byType: { iban: 5, email: null } })
  })
})

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

  test('hide a type with fewer than five payers, and ask for finished days only', async () => {
    const windows: (readonly number[])[] = []
    const { asked, get } = await start(
      async () => [sold('iban', 'rest', 900), sold('email', 'rest', 900)],
      async (...window) => {
        windows.push(window)
        return [...payersOf('iban', 4), ...payersOf('email', 5)]
      },
    )
    const hidden = { iban: null, email: 900 }
    expect(await (await get()).json()).toMatchObject({
      recent: { byType: hidden },
      total: { byType: hidden },
    })
    expect(asked).toEqual(['2026-10-22 2026-11-20', '2000-01-01 2026-11-20'])
    const first = Date.parse('2026-10-22T00:00:00Z')
    const days = Array.from({ length: 30 }, (_, day) => [first + day * DAY_MS, first + (day + 1) * DAY_MS])
    expect(windows).toEqual(days.toReversed())
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

  test('read the payers of a day once, and no further back than until every type has enough', async () => {
    let reads = 0
    const { clock, get } = await start(
      async () => [],
      async () => {
        reads += 1
        return MANY
      },
    )
    await get()
    clock.now += 60_001
    await get()
    expect(reads).toBe(1)
    clock.now += DAY_MS
    await get()
    expect(reads).toBe(2)
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
