import { describe, expect, test } from 'vitest'
import type { CountTotal } from '../../../../src/ledger/ledger.ts'
import { type Figures, readFigures } from '../../../../src/surfaces/admin/operator/figures.ts'
import { buildFunnel } from '../../../../src/surfaces/admin/operator/funnel.ts'
import { operatorPage } from '../../../../src/surfaces/admin/operator/page.ts'
import type { DayTakings } from '../../../../src/surfaces/admin/operator/takings-book.ts'

const AT = Date.parse('2026-11-21T10:00:00Z')
const cell = (change: Partial<DayTakings> = {}): DayTakings => ({
  day: '2026-11-21',
  surface: 'rest',
  checkType: 'iban',
  own: false,
  sales: 1,
  delivered: 1,
  revenue: 1_000n,
  ...change,
})
const count = (outcome: string, n: number, change: Partial<CountTotal> = {}): CountTotal => ({
  surface: 'rest',
  checkType: 'iban',
  outcome,
  count: n,
  ...change,
})
const figures = (change: Partial<Figures> = {}): Figures => ({
  at: AT,
  health: { ready: true, chainUp: true, startedAt: AT - 60_000 },
  takings: { kind: 'read', value: [cell()] },
  counts: { kind: 'read', value: [count('sold', 1)] },
  standing: {
    kind: 'read',
    value: {
      claimed: 0,
      settling: 0,
      inDoubt: 0,
      unconfirmed: 0,
      refused: 0,
      inDoubtSince: null,
      auditMissing: 0,
      auditPending: 0,
    },
  },
  settlements: { counts: { settled: 1, refused: 0, doubtful: 0, not_sent: 0 }, latencyMs: null },
  ...change,
})
const page = (change: Partial<Figures> = {}) =>
  operatorPage(figures(change), { version: '1.2.0', sandbox: false })
const tile = (markup: string, name: string) =>
  new RegExp(`<h3>${name}</h3><p class="figure">([^<]*)</p><p>([^<]*)</p>`).exec(markup)?.slice(1)
const sectionOf = (markup: string, title: string) =>
  markup.split('<section>').find((part) => part.startsWith(`<h2>${title}`)) ?? ''

describe('the revenue', () => {
  test('is summed exactly over today, 7 days, 30 days and all', () => {
    const value = [
      cell({ day: '2025-01-01', revenue: 9_007_199_254_740_993n }),
      cell({ day: '2026-10-23' }),
      cell({ day: '2026-10-22' }),
      cell({ day: '2026-11-15' }),
      cell({ day: '2026-11-14' }),
      cell({ surface: 'mcp', sales: 3, revenue: 3_000n }),
    ]
    const markup = page({ takings: { kind: 'read', value } })
    expect(tile(markup, 'Today')).toEqual(['$0.003', '3 sales'])
    expect(tile(markup, '7 days')).toEqual(['$0.004', '4 sales'])
    expect(tile(markup, '30 days')).toEqual(['$0.006', '6 sales'])
    expect(tile(markup, 'In all')).toEqual(['$9,007,199,254.747993', '8 sales'])
  })

  test('leaves own sales out, and says how many there were', () => {
    const own = cell({ own: true, sales: 7, revenue: 7_000n })
    const markup = page({ takings: { kind: 'read', value: [cell(), own] } })
    expect(tile(markup, 'In all')).toEqual(['$0.001', '1 sales'])
    expect(markup).toContain('7 ($0.007)')
    expect(sectionOf(markup, 'Sales of 30 days')).not.toContain('0.008')
  })
})

describe('the funnel', () => {
  test('counts stages and reasons, and neither repetitions nor what the chain cleared up as attempts', () => {
    const counts = [
      count('payment_required', 10),
      count('sold', 4),
      count('payment_invalid_signature', 2),
      count('payment_in_doubt', 1, { checkType: 'task', surface: 'a2a' }),
      count('replayed', 3),
      count('reconciled', 1),
      count('written_off', 5),
    ]
    const funnel = buildFunnel(counts, [
      cell({ sales: 4, delivered: 3 }),
      cell({ surface: 'a2a', delivered: 0 }),
    ])
    expect(funnel.all).toEqual({ quoted: 10, paid: 7, settled: 5, delivered: 3 })
    expect(funnel.bySurface.get('a2a')).toEqual({ quoted: 0, paid: 1, settled: 1, delivered: 0 })
    expect(funnel.drops).toEqual([
      { reason: 'payment_invalid_signature', count: 2 },
      { reason: 'payment_in_doubt', count: 1 },
    ])
    expect(funnel).toMatchObject({ replayed: 3, reconciled: 1, writtenOff: 5 })
  })
})

describe('what could not be read', () => {
  const failed = { kind: 'failed' } as const
  test('is said to have failed, without a number in its place', () => {
    const markup = page({ takings: failed, counts: failed, standing: failed })
    for (const title of ['Revenue', 'Sales of 30 days', 'Funnel of 30 days', 'Doubt and audit']) {
      const text = sectionOf(markup, title).slice(title.length + 10)
      expect(text).toContain('<strong>failed</strong>')
      expect(text.replaceAll(/<[^>]*>/g, '')).not.toMatch(/[0-9]/)
    }
    expect(markup).toContain('store: does not answer')
  })

  test('leaves the rest standing', () => {
    const markup = page({ standing: failed })
    expect(tile(markup, 'In all')).toEqual(['$0.001', '1 sales'])
    expect(sectionOf(markup, 'Doubt and audit')).toContain('<strong>failed</strong>')
  })

  test('fails alone', async () => {
    const away = () => Promise.reject(new Error('away'))
    const read = await readFigures({
      ledger: { countTotals: async () => [], standing: away },
      takings: { upTo: away },
      settlements: () => figures().settlements,
      ready: away,
      chainUp: () => true,
      startedAt: AT,
      now: () => AT,
    })
    expect(read).toMatchObject({
      takings: failed,
      standing: failed,
      counts: { kind: 'read', value: [] },
      health: { ready: false },
    })
  })
})

describe('the page', () => {
  test('has no script, no inline style and no other origin', () => {
    const markup = page()
    expect(markup).not.toMatch(/<script|<style| style=| on[a-z]+=|https?:\/\//)
    expect(markup).toContain('<link rel="stylesheet" href="/operator.css">')
  })

  test('shows markup in the books as text', () => {
    const hostile = '<img src=x>'
    const value = [cell({ checkType: hostile, surface: hostile })]
    const markup = page({
      takings: { kind: 'read', value },
      counts: { kind: 'read', value: [count(hostile, 1, { surface: hostile })] },
    })
    expect(markup).not.toContain('<img')
    expect(markup).toContain('&lt;img')
  })

  test('says how long the oldest doubt has lasted', () => {
    const standing = figures().standing
    if (standing.kind !== 'read') throw new Error('read')
    const value = { ...standing.value, inDoubt: 2, inDoubtSince: AT - 125_000, auditMissing: 1 }
    const markup = page({ standing: { kind: 'read', value } })
    expect(tile(markup, 'In doubt')).toEqual(['2', 'oldest: 2 min'])
    expect(tile(markup, 'Audit: missing')?.[0]).toBe('1')
  })
})
