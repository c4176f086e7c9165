import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { ChannelTotals } from '../../../../src/ledger/channels/channel-totals.ts'
import type { Attention, Count } from '../../../../src/ledger/figures/operator-figures.ts'
import type { PaymentRow } from '../../../../src/ledger/payments/payment-row.ts'
import { sumTreasury, type TreasuryDay } from '../../../../src/ledger/treasury/treasury-row.ts'
import { type Figures, readFigures } from '../../../../src/surfaces/admin/operator/figures/figures.ts'
import { buildFunnel } from '../../../../src/surfaces/admin/operator/figures/funnel.ts'
import { findProblems } from '../../../../src/surfaces/admin/operator/figures/problems.ts'
import type { SalesCell } from '../../../../src/surfaces/admin/operator/figures/sales-book.ts'
import { readDays, viewOf } from '../../../../src/surfaces/admin/operator/figures/view-range.ts'
import { operatorPage } from '../../../../src/surfaces/admin/operator/page.ts'
import { saleFields } from '../../../../src/surfaces/admin/sales/sales-csv.ts'
import { csvLine } from '../../../../src/values/csv-line.ts'
import { channelTotals } from '../../../support/channel-totals.ts'
import { ROOT } from '../../../support/command.ts'
import { NO_BACKLOG } from '../../../support/no-backlog.ts'

const AT = Date.parse('2026-11-21T10:00:00Z')
const PAYER = { address: 'a', since: '2026-10-01' }
const cell = (change: Partial<SalesCell> = {}): SalesCell => ({
  ...{ day: '2026-11-21', own: false, payer: PAYER },
  ...{ sales: 1, values: change.sales ?? 1, delivered: 1, revenue: 1_000n },
  ...change,
})
const count = (outcome: string, n: number, change: Partial<Count> = {}): Count => ({
  day: '2026-11-21',
  surface: 'rest',
  checkType: 'iban',
  outcome,
  count: n,
  ...change,
})
const figures = (change: Partial<Figures> = {}): Figures => ({
  at: AT,
  health: { ready: true, chainUp: true, startedAt: AT - 60_000 },
  sales: { status: 'fulfilled', value: [cell()] },
  counts: { status: 'fulfilled', value: [count('sold', 1)] },
  backlog: { status: 'fulfilled', value: NO_BACKLOG },
  attention: { status: 'fulfilled', value: { inDoubt: [], missing: [], undelivered: [] } },
  channels: null,
  settlements: { settled: 1, refused: 0, doubtful: 0, not_sent: 0 },
  settling: { state: null, left: null, fee: 0n },
  treasury: { status: 'fulfilled', value: [] },
  ...change,
})
const CONTEXT = { version: '1.2.0', sandbox: false, baseUrl: 'https://checks.example' }
const ALL = 30
const page = (change: Partial<Figures> = {}, days = ALL) => operatorPage(figures(change), CONTEXT, days)
const tile = (markup: string, name: string) =>
  new RegExp(`<h3>${name}</h3><p class="figure">([^<]*)</p><p>([^<]*)</p>`).exec(markup)?.slice(1)
const sectionOf = (markup: string, title: string) =>
  [...markup.matchAll(/<section[^>]*>(.*?)<\/section>/gs)]
    .map(([, section = '']) => section)
    .find((section) => section.startsWith(`<h2>${title}`)) ?? ''

describe('payment channels', () => {
  const totals = channelTotals({
    ...{ channels: 4, calls: 1_234, deposited: 750_000n, charged: 9_000n, claimed: 4_000n },
    ...{ exposed: 5_000n, open: 3, withdrawing: 1, urgent: 1, depositsInDoubt: 2 },
  })

  test('show deposits, what is charged, claimed and still to be claimed', () => {
    const shown = sectionOf(page({ channels: { status: 'fulfilled', value: totals } }), 'Payment channels')
    expect(tile(shown, 'Open channels')).toEqual(['3', '1,234 calls over 4 since the beginning'])
    expect(tile(shown, 'In channels')?.[0]).toBe('$0.75')
    expect(tile(shown, 'Charged')).toEqual(['$0.009', '$0.004 of it claimed'])
    expect(tile(shown, 'To claim')).toEqual(['$0.005', 'calls are refused beyond $50.00'])
    expect(tile(shown, 'Withdrawing')).toEqual(['1', '1 with something to claim'])
    expect(tile(shown, 'Deposits in doubt')?.[0]).toBe('2')
    expect(
      sectionOf(page({ channels: { status: 'rejected', reason: undefined } }), 'Payment channels'),
    ).toContain('failed')
  })

  test('are no part of the view while they are off and there never was one', () => {
    expect(page()).not.toContain('Payment channels')
  })
})

describe('the revenue', () => {
  test('is summed exactly over today, yesterday, 7 days, 30 days and all, values beside sales', () => {
    const value = [
      cell({ day: '2025-01-01', revenue: 9_007_199_254_740_993n }),
      cell({ day: '2026-10-23' }),
      cell({ day: '2026-10-22' }),
      cell({ day: '2026-11-20', values: 500, revenue: 500_000n }),
      cell({ day: '2026-11-15' }),
      cell({ day: '2026-11-14' }),
      cell({ sales: 3, revenue: 3_000n }),
    ]
    const markup = page({ sales: { status: 'fulfilled', value } })
    expect(tile(markup, 'Today')).toEqual(['$0.003', '3 values in 3 sales'])
    expect(tile(markup, 'Yesterday')).toEqual(['$0.50', '500 values in 1 sale'])
    expect(tile(markup, '7 days')).toEqual(['$0.504', '504 values in 5 sales'])
    expect(tile(markup, '30 days')).toEqual(['$0.506', '506 values in 7 sales'])
    expect(tile(markup, 'All time')).toEqual(['$9,007,199,255.247993', '508 values in 9 sales'])
  })

  test('leaves own sales out, and says how many there were', () => {
    const own = cell({ own: true, sales: 7, revenue: 7_000n })
    const markup = page({ sales: { status: 'fulfilled', value: [cell(), own] } })
    expect(tile(markup, 'All time')).toEqual(['$0.001', '1 value in 1 sale'])
    expect(markup).toContain('7 ($0.007)')
    expect(sectionOf(markup, 'Trends, 30 days')).not.toContain('0.008')
  })
})

describe('income and cost', () => {
  const TITLE = 'Income and cost, 30 days'
  const booked = (day: string, change: Partial<TreasuryDay>): TreasuryDay => ({
    day,
    ...sumTreasury([]),
    ...change,
  })
  const state = {
    ...{ pending: 0, isTooExpensive: false, dailyLoss: 5_000_000n, isSpent: false, isBelowCost: false },
    ...{
      gasPerSale: () => 47_258.4,
      batches: new Map([
        [1, 4],
        [3, 2],
        [4, 1],
        [64, 9],
      ]),
    },
  }
  const treasury = {
    status: 'fulfilled' as const,
    value: [
      booked('2026-11-14', { earned: 90_000n, spent: 40_000n, sales: 90n }),
      booked('2026-11-15', { earned: 60_000n, spent: 30_000n, sales: 60n }),
      booked('2026-11-21', {
        ...{ earned: 10_000n, spent: 4_000n, sales: 10n },
        ...{ reserved: 1_500n, lost: 500n, overrun: 250n },
      }),
    ],
  }
  const settling = { state, left: 1_000, fee: 0n }

  test('of own settlements are the books by day, with daily loss limit, runway and gas', () => {
    const shown = sectionOf(page({ settling, treasury }), TITLE)
    expect(tile(shown, 'Lost and reserved today')).toEqual(['$0.00225', 'of $5.00'])
    expect(tile(shown, 'Runway')).toEqual(['100 days', 'gas for 1,000 settlements'])
    expect(tile(shown, 'Gas per sale')?.[0]).toBe('47,258')
    expect(shown).toContain('2026-11-15: $0.06')
    expect(shown).toContain('2026-11-15: $0.03')
    expect(shown).toContain('2026-11-20: $0.00')
  })

  test('say that sales are paused, and that nothing is known yet', () => {
    const spent = page({ settling: { ...settling, state: { ...state, isSpent: true } }, treasury })
    expect(tile(spent, 'Lost and reserved today')?.[1]).toBe('of $5.00: new payers wait')
    expect(tile(spent, 'Newest settlement')).toEqual(['covered', 'a call brings in $0.001'])
    const atLoss = page({ settling: { ...settling, state: { ...state, isBelowCost: true } }, treasury })
    expect(tile(atLoss, 'Newest settlement')?.[0]).toBe('at a loss')
    const value: readonly TreasuryDay[] = []
    const fresh = page({
      settling: { state: { ...state, gasPerSale: () => null, batches: new Map() }, left: null, fee: 0n },
      treasury: { status: 'fulfilled', value },
    })
    expect(tile(fresh, 'Runway')).toEqual(['unknown', 'the account was not read yet'])
    expect(tile(fresh, 'Gas per sale')?.[0]).toBe('unknown')
  })

  test('at another facilitator are its fee for each sale, own purchases included', () => {
    const value = [cell({ sales: 3, values: 500, revenue: 500_000n }), cell({ own: true, day: '2026-11-20' })]
    const shown = sectionOf(
      page({ sales: { status: 'fulfilled', value }, settling: { state: null, left: null, fee: 1_500n } }),
      TITLE,
    )
    expect(shown).toContain('2026-11-21: $0.50')
    expect(shown).toContain('2026-11-21: $0.0045')
    expect(shown).toContain('2026-11-20: $0.0015')
    expect(shown).toContain('no less than a call brings in ($0.001)')
    const cheap = page({
      sales: { status: 'fulfilled', value },
      settling: { state: null, left: null, fee: 999n },
    })
    expect(cheap).not.toContain('no less than a call brings in')
  })

  test('are no part of the view where settlements cost nothing, and fail alone', () => {
    expect(page()).not.toContain('Income and cost')
    const away = sectionOf(page({ settling, treasury: { status: 'rejected', reason: undefined } }), TITLE)
    expect(away).toContain('<strong>failed</strong>')
  })
})

/** Of every kind of outcome. */
const COUNTS = [
  count('payment_required', 10),
  count('sold', 4),
  count('payment_invalid_signature', 2),
  count('payment_in_doubt', 1, { checkType: 'task', surface: 'a2a' }),
  count('replayed', 3),
  count('reconciled', 1),
  count('written_off', 5),
]

describe('the funnel', () => {
  test('counts stages and reasons, and neither repetitions nor what the chain cleared up as attempts', () => {
    const funnel = buildFunnel(COUNTS, [cell({ sales: 4, delivered: 3 }), cell({ delivered: 0 })])
    expect(funnel).toEqual({
      ...{ quoted: 10, paid: 8, settled: 5, delivered: 3 },
      drops: [
        ['payment_invalid_signature', 2],
        ['payment_in_doubt', 1],
      ],
      ...{ replayed: 3, reconciled: 1, writtenOff: 5 },
    })
  })

  test.each([
    ['counts that were lost in a crash', []],
    ['more payments than quotes', [count('payment_required', 1), count('sold', 371)]],
    ['calls over channels, which have no row', [count('sold', 900)]],
  ])('has no stage that exceeds the one before, with %s', (_what, lost) => {
    const { paid, settled, delivered } = buildFunnel(lost, [cell({ sales: 371, delivered: 371 })])
    expect([paid, settled, delivered]).toEqual([371, 371, 371])
  })

  test('shows quotes without a share', () => {
    const value = [count('payment_required', 1), count('sold', 4)]
    const sales = { status: 'fulfilled' as const, value: [cell({ sales: 4, delivered: 4 })] }
    const text = sectionOf(page({ counts: { status: 'fulfilled', value }, sales }), 'Funnel, 30 days')
    expect(text).toContain('Quotes given: 1.')
    expect([...text.matchAll(/([\d.]+) %/g)].filter(([, share]) => Number(share) > 100)).toEqual([])
  })

  test('shows shares of the stage before', () => {
    const value = [count('payment_required', 10), count('sold', 4), count('payment_expired', 1)]
    const text = sectionOf(
      page({
        counts: { status: 'fulfilled', value },
        sales: { status: 'fulfilled', value: [cell({ sales: 4, delivered: 3 })] },
      }),
      'Funnel, 30 days',
    )
    for (const each of ['80 % of paid', '75 % of settled', '20 % of paid']) expect(text).toContain(each)
  })
})

describe('failed payments', () => {
  test('are neither sales, quotes and repetitions nor what the chain cleared up', () => {
    const value = [...COUNTS, count('payment_expired', 7, { day: '2026-11-20' })]
    const shown = sectionOf(page({ counts: { status: 'fulfilled', value } }), 'Trends, 30 days')
    const failed = shown.slice(shown.indexOf('Failed payments by day'))
    expect(failed).toContain('2026-11-21: 3<')
    expect(failed).toContain('2026-11-20: 7<')
  })
})

describe('what could not be read', () => {
  const failed = { status: 'rejected', reason: undefined } as const
  test('is said to have failed, without a number in its place', () => {
    const markup = page({
      sales: failed,
      counts: failed,
      backlog: failed,
      attention: failed,
    })
    for (const title of [
      'Revenue',
      'Stuck payments',
      'Trends, 30 days',
      'Funnel, 30 days',
      'Payers, 30 days',
    ]) {
      const text = sectionOf(markup, title).slice(title.length + 10)
      expect(text).toContain('<strong>failed</strong>')
      expect(text.replaceAll(/<[^>]*>/g, '')).not.toMatch(/[0-9]/)
    }
    expect(markup).toContain('store: does not answer')
  })

  test('leaves the rest standing', () => {
    const markup = page({ backlog: failed })
    expect(tile(markup, 'All time')).toEqual(['$0.001', '1 value in 1 sale'])
    expect(sectionOf(markup, 'Stuck payments')).toContain('<strong>failed</strong>')
  })

  test('fails alone', async () => {
    const away = () => Promise.reject(new Error('away'))
    const read = await readFigures({
      ledger: { counts: async () => [], backlog: away, attention: away, channelTotals: away, treasury: away },
      channelsOn: true,
      sales: { upTo: away },
      settlements: () => figures().settlements,
      settling: () => figures().settling,
      ready: away,
      chainUp: () => true,
      startedAt: AT,
      now: () => AT,
    })
    expect(read).toMatchObject({
      sales: { status: 'rejected' },
      backlog: { status: 'rejected' },
      counts: { status: 'fulfilled', value: [] },
      health: { ready: false },
    })
  })
})

describe('the page', () => {
  test('has no script, no inline style and no other origin', () => {
    const markup = page()
    expect(markup).not.toMatch(/<script|<style| style=| on[a-z]+=| src=/)
    for (const [, href = ''] of markup.matchAll(/<link[^>]* href="([^"]*)"/g)) expect(href).toMatch(/^\//)
    for (const [, href = ''] of markup.matchAll(/<a href="(h[^"]*)"/g))
      expect(href).toMatch(/^https:\/\/checks\.example\/docs\/(?:operations#|runbook$)/)
    expect(markup).toContain('<link rel="stylesheet" href="/operator.css">')
  })

  test('shows markup in the books as text', () => {
    const hostile = '<img src=x>'
    const value = [cell({ payer: { address: hostile, since: hostile } })]
    const rows = { inDoubt: [row({ surface: hostile, refusal: hostile })], missing: [], undelivered: [] }
    const markup = page({
      sales: { status: 'fulfilled', value },
      counts: { status: 'fulfilled', value: [count(hostile, 1, { surface: hostile })] },
      attention: { status: 'fulfilled', value: rows },
    })
    expect(markup).not.toContain('<img')
    expect(markup).toContain('&lt;img')
  })

  test('says how long the oldest doubt has lasted', () => {
    const backlog = figures().backlog
    if (backlog.status !== 'fulfilled') throw new Error('read')
    const value = { ...backlog.value, inDoubt: 2, inDoubtSince: AT - 125_000, auditMissing: 1 }
    const markup = page({ backlog: { status: 'fulfilled', value } })
    expect(tile(markup, 'In doubt')).toEqual(['2', 'oldest: 2 min'])
    expect(tile(markup, 'Missing on the chain')?.[0]).toBe('1')
  })
})

const row = (change: Partial<PaymentRow> = {}): PaymentRow => ({
  network: 'eip155:8453',
  asset: `0x${'33'.repeat(20)}`,
  payer: `0x${'11'.repeat(20)}`,
  nonce: `0x${'22'.repeat(32)}`,
  origin: 'sale',
  amount: 1_000n,
  payTo: `0x${'44'.repeat(20)}`,
  validBefore: AT / 1000,
  state: 'in_doubt',
  owner: null,
  leaseUntil: 0,
  attempts: 1,
  refusal: null,
  doubt: null,
  transaction: `0x${'55'.repeat(32)}`,
  logIndex: null,
  audit: null,
  surface: 'rest',
  checkType: 'iban',
  ruleset: 'iban:swift-r102',
  shape: 'single',
  items: 1,
  bindingKey: null,
  signatureMac: null,
  claimedBlock: null,
  salt: null,
  binding: null,
  identifier: null,
  taskKey: null,
  mismatches: 0,
  awaitsAnswer: false,
  claimedAt: AT - 3_700_000,
  settlingAt: AT - 3_660_000,
  settledAt: null,
  deliveredAt: null,
  ...change,
})

describe('the rows behind the numbers', () => {
  const attention: Attention = {
    inDoubt: [row()],
    missing: [row({ state: 'settled', audit: 'missing', settledAt: AT - 60_000 })],
    undelivered: [row({ state: 'settled', settledAt: AT - 2 * 86_400_000 })],
  }

  test('name payer, amount, state, age, transaction and what to do', () => {
    const text = sectionOf(page({ attention: { status: 'fulfilled', value: attention } }), 'Stuck payments')
    for (const title of ['In doubt', 'Missing on the chain', 'Paid, not delivered'])
      expect(text).toContain(title)
    for (const each of [row().payer, row().nonce, row().transaction, '$0.001', '1 h', '1 min', '2 d'])
      expect(text).toContain(`${each}`)
    expect(text).toContain('send the amount back')
  })

  test('are one sentence if there are none', () => {
    expect(sectionOf(page(), 'Stuck payments')).toContain('No payment needs attention.')
  })
})

describe('what is wrong', () => {
  const { backlog: quiet } = figures()
  const backlog = (change: object) =>
    quiet.status === 'fulfilled'
      ? { status: 'fulfilled' as const, value: { ...quiet.value, ...change } }
      : quiet
  const channels = (change: Partial<ChannelTotals>) => ({
    status: 'fulfilled' as const,
    value: channelTotals({ channels: 3, ...change }),
  })
  const levels = (change: Partial<Figures>) => findProblems(figures(change)).map(({ level }) => level)

  test('is nothing on a good day, and the page says so', () => {
    expect(findProblems(figures())).toEqual([])
    expect(findProblems(figures({ channels: channels({ exposed: 1_000n, oldestReadAt: AT }) }))).toEqual([])
    expect(page()).toContain('class="verdict is-ok"')
    expect(page()).toContain('/docs/runbook" rel="noreferrer">Runbook')
  })

  test.each<[string, Partial<Figures>, string[]]>([
    ['a node that is down', { health: { ready: true, chainUp: false, startedAt: AT } }, ['act']],
    ['a store that is down', { backlog: { status: 'rejected', reason: undefined } }, ['act']],
    ['a fresh doubt', { backlog: backlog({ inDoubt: 1, inDoubtSince: AT - 60_000 }) }, ['watch']],
    ['a lasting doubt', { backlog: backlog({ inDoubt: 1, inDoubtSince: AT - 600_000 }) }, ['act']],
    ['a payer who withdraws, and something to claim', { channels: channels({ urgent: 1 }) }, ['act']],
    ['channels that are not read', { channels: channels({ oldestReadAt: AT - 4 * 3_600_000 }) }, ['act']],
    ['much to claim', { channels: channels({ exposed: 40_000_000n }) }, ['act']],
    ['a store that is behind the contract', { channels: channels({ ahead: 2 }) }, ['watch']],
    ['a missing transfer', { backlog: backlog({ auditMissing: 1 }) }, ['act']],
    [
      'an answer that was not delivered',
      { attention: { status: 'fulfilled', value: { inDoubt: [], missing: [], undelivered: [row()] } } },
      ['watch'],
    ],
    ['a failing facilitator', { settlements: { settled: 4, refused: 0, doubtful: 1, not_sent: 0 } }, ['act']],
  ])('is named for %s, with a link to its section', (_what, change, expected) => {
    expect(levels(change)).toEqual(expected)
    const markup = page(change)
    expect(markup).toContain(`class="verdict is-${expected[0]}"`)
    expect(markup).toMatch(/operations#[a-z-]+" rel="noreferrer">What to do/)
  })

  test.each([
    [1, '1 channel '],
    [2, '2 channels '],
  ])('counts channels, not payers, with %i of them', (count, words) => {
    const problems = findProblems(figures({ channels: channels({ urgent: count, ahead: count }) }))
    for (const { text } of problems) expect(text).toContain(` from ${words}`)
    expect(problems).toHaveLength(2)
  })

  test('leads to headings that docs/operations.md has', () => {
    const headings = [...readFileSync(join(ROOT, 'docs/operations.md'), 'utf8').matchAll(/^#+ (.+)$/gm)]
    const anchors = headings.map(([, title = '']) => title.toLowerCase().replaceAll(' ', '-'))
    const worst = findProblems(
      figures({
        health: { ready: false, chainUp: false, startedAt: AT },
        backlog: backlog({ inDoubt: 1, inDoubtSince: 0, auditMissing: 1 }),
        channels: channels({ urgent: 1, ahead: 1, exposed: 50_000_000n, oldestReadAt: 0 }),
        attention: { status: 'fulfilled', value: { inDoubt: [], missing: [], undelivered: [row()] } },
        settlements: { settled: 0, refused: 0, doubtful: 9, not_sent: 0 },
      }),
    )
    const [acts, watches] = ['act', 'watch'].map((level) => worst.filter((each) => each.level === level))
    expect([acts?.length, watches?.length]).toEqual([8, 2])
    expect(worst).toEqual([...(acts ?? []), ...(watches ?? [])])
    for (const { section } of worst) expect(anchors).toContain(section)
  })
})

describe('the range', () => {
  test('is read from the query, and what is not understood is the default', () => {
    const read = (query: string) => readDays(new URLSearchParams(query))
    expect(read('')).toEqual(ALL)
    expect(read('days=8')).toEqual(ALL)
    expect(read(viewOf(90).slice(2))).toBe(90)
    expect(viewOf(ALL)).toBe('/')
  })

  test('selects days in every section, and the revenue is that of all', () => {
    const value = [cell(), cell({ day: '2026-11-01', sales: 10, revenue: 10_000n }), cell({ sales: 5 })]
    const counts = {
      status: 'fulfilled' as const,
      value: [count('payment_required', 4), count('payment_required', 8, { day: '2026-11-01' })],
    }
    const markup = page({ sales: { status: 'fulfilled', value }, counts }, 7)
    expect(tile(markup, 'All time')).toEqual(['$0.012', '16 values in 16 sales'])
    expect(sectionOf(markup, 'Trends, 7 days')).toContain('2026-11-21: 6<')
    expect(sectionOf(markup, 'Trends, 7 days')).not.toContain('2026-11-01')
    expect(sectionOf(markup, 'Payers, 7 days')).toContain('<td>6</td>')
    const funnelText = sectionOf(markup, 'Funnel, 7 days').replaceAll(/<[^>]*>/g, ' ')
    expect(funnelText).toContain('Quotes given: 4.')
    expect(funnelText).toMatch(/settled\s+6 /)
    expect(markup).toContain('<a href="/?days=7" aria-current="true">')
  })
})

describe('the payers', () => {
  const b = { address: 'b', since: '2026-11-19' }
  const value = [
    cell({ day: '2026-11-14', sales: 9 }),
    cell({ day: '2026-11-19', sales: 2, revenue: 2_000n }),
    cell({ day: '2026-11-19', payer: b, values: 500, revenue: 500_000n }),
    cell({ day: '2026-11-20', payer: b, own: true, sales: 4, revenue: 4_000n }),
  ]
  const text = (days: number) =>
    sectionOf(page({ sales: { status: 'fulfilled', value } }, days), `Payers, ${days} days`)
  const rows = (markup: string) =>
    [...markup.matchAll(/<tr><th scope="row"><code>(.*?)<\/tr>/g)].map(([, row = '']) =>
      row
        .replaceAll(/<[^>]*>/g, ' ')
        .split(/\s+/)
        .filter(Boolean),
    )

  test('are new or returning by their first sale, and named with what they paid', () => {
    const week = text(7)
    expect([tile(week, 'New')?.[0], tile(week, 'Returning')?.[0]]).toEqual(['1', '1'])
    expect(rows(week)).toEqual([
      ['b', '$0.504', '504', '5', '2026-11-19'],
      ['a', '$0.002', '2', '2', '2026-10-01'],
    ])
  })

  test('are those of the range, with the operator’s own marked', () => {
    expect(rows(text(2))).toEqual([['b', 'own', '$0.004', '4', '4', '2026-11-19']])
  })

  test('are the twenty who paid most, and the rest a number', () => {
    const many = Array.from({ length: 21 }, (_, at) =>
      cell({ payer: { address: `p${at}`, since: '2026-11-21' } }),
    )
    const markup = page({ sales: { status: 'fulfilled', value: many } })
    expect(rows(sectionOf(markup, 'Payers, 30 days'))).toHaveLength(20)
    expect(markup).toContain('The 20 who paid most of 21; all are in the CSV.')
  })
})

describe('a sale in the books', () => {
  test('has date, time, exact dollars and values, and says whose it is', () => {
    const sold = row({
      ...{ state: 'settled', settledAt: AT, audit: 'found' },
      amount: 9_007_199_254_740_993n,
      items: 500,
    })
    const line = csvLine(Object.values(saleFields(sold, [sold.payer])))
    expect(line).toMatch(
      /^2026-11-21,10:00:00,9007199254\.740993,iban,rest,500,yes,0x1{40},0x4{40},eip155:8453,0x3{40},/,
    )
    expect(line).toMatch(/,9007199254740993,0x5{64},found\r\n$/)
    expect(saleFields(row({ settledAt: AT }), []).own).toBe('no')
  })
})
