import { CHECK_TYPES } from 'format-checker-checks/verdict'
import { describe, expect, test } from 'vitest'
import type { PaymentGauges } from '../../../src/app/health/payment-health.ts'
import { createMetrics, type Metrics } from '../../../src/app/monitoring/metrics.ts'
import { type ScrapeDeps, type ScrapedNetwork, scrape } from '../../../src/app/monitoring/scrape.ts'
import type { Backlog } from '../../../src/ledger/figures/operator-figures.ts'
import type { Ledger } from '../../../src/ledger/ledger.ts'
import type { StoreLoad } from '../../../src/ledger/store/store.ts'
import { sumTreasury, type TreasuryDay } from '../../../src/ledger/treasury/treasury-row.ts'
import { BASE } from '../../../src/payments/networks/base.ts'
import { BASE_SEPOLIA } from '../../../src/payments/networks/base-sepolia.ts'
import type { Network } from '../../../src/payments/networks/network.ts'
import { channelTotals } from '../../support/channel-totals.ts'
import { NO_GAUGES } from '../../support/no-gauges.ts'

const backlog: Backlog = {
  claimed: 1,
  settling: 2,
  inDoubt: 3,
  refused: 4,
  inDoubtSince: 1_000,
  auditMissing: 5,
  auditPending: 6,
  auditPendingSince: 31_000,
  unpaidTasks: 7,
}
const load: StoreLoad = { waiting: () => 8, connections: () => ({ open: 10, used: 9 }) }
const onNetwork = (
  network: Network,
  {
    isUp = true,
    scanBehind = async () => null,
    ...known
  }: Partial<PaymentGauges & Pick<ScrapedNetwork, 'scanBehind'>> & { readonly isUp?: boolean } = {},
): ScrapedNetwork => ({
  network,
  chainUp: () => isUp,
  scanBehind,
  troubles: () => [],
  gauges: () => ({ ...NO_GAUGES, ...known }),
})
const scraped = (metrics: Metrics, ledger: Partial<Ledger>, deps: Partial<ScrapeDeps> = {}) =>
  scrape({
    metrics,
    ledger: { load, ...ledger } as Ledger,
    networks: [onNetwork(BASE)],
    troubles: async () => [],
    now: () => 61_000,
    ...deps,
  })
const seriesOf = (body: string) =>
  new Set(body.split('\n').flatMap((line) => /^(format_checker_[^ ]+) /.exec(line)?.[1] ?? []))

describe('a scrape', () => {
  test('asks the store for what stands open', async () => {
    const metrics = createMetrics()
    const ledger = { backlog: async () => backlog }
    const { body, contentType } = await scraped(metrics, ledger)
    expect(contentType).toMatch(/^text\/plain/)
    for (const line of [
      'format_checker_open_payments{state="claimed"} 1',
      'format_checker_open_payments{state="settling"} 2',
      'format_checker_open_payments{state="in_doubt"} 3',
      'format_checker_open_payments{state="refused"} 4',
      'format_checker_audit_missing 5',
      'format_checker_audit_pending 6',
      'format_checker_audit_pending_seconds 30',
      'format_checker_chain_up{network="base"} 1',
      'format_checker_in_doubt_seconds 60',
      'format_checker_unpaid_tasks 7',
      'format_checker_store_waiting 8',
      'format_checker_store_connections{state="used"} 9',
      'format_checker_store_connections{state="idle"} 1',
    ])
      expect(body.split('\n')).toContain(line)
  })

  test('sums own settlements of today, and says how long the account lasts at the sales of a week', async () => {
    const day = (name: string, sales: bigint): TreasuryDay => ({
      ...{ day: name, ...sumTreasury([]) },
      ...{ sales, earned: sales * 1_000n },
    })
    const treasury = async (from: string, to: string) => {
      expect([from, to]).toEqual(['1969-12-26', '1970-01-01'])
      return [day('1969-12-30', 60n), day(to, 10n)]
    }
    const networks = [onNetwork(BASE, { settlementsLeft: 100 })]
    const { body } = await scraped(createMetrics(), { treasury }, { networks })
    expect(body.split('\n')).toContain('format_checker_treasury_units{what="earned"} 10000')
    expect(body.split('\n')).toContain('format_checker_settlement_runway_days{network="base"} 10')
  })

  test('shows own settlements also while another scrape has just begun', async () => {
    const metrics = createMetrics()
    const networks = [onNetwork(BASE, { settlementsLeft: 100 })]
    const treasury = async () => [{ day: '1970-01-01', ...sumTreasury([]), sales: 10n, earned: 10_000n }]
    const held = Promise.withResolvers<[]>()
    const others = { troubles: () => held.promise }
    const one = scraped(metrics, { treasury }, { networks, ...others })
    await new Promise(setImmediate)
    const other = scraped(metrics, { treasury: () => new Promise(() => {}) }, { networks })
    held.resolve([])
    const { body } = await one
    expect(body).toContain('format_checker_treasury_units{what="earned"} 10000')
    expect(body).toContain('format_checker_settlement_runway_days{network="base"} 70')
    void other
  })

  test.each([
    [-90, 'format_checker_clock_ahead_seconds{network="base"} -90'],
    [null, null],
  ])('says how far the clock is ahead, if that is known: %s', async (clockAheadSeconds, line) => {
    const networks = [onNetwork(BASE, { clockAheadSeconds })]
    const { body } = await scraped(createMetrics(), { backlog: async () => backlog }, { networks })
    expect(body.split('\n').find((each) => each.startsWith('format_checker_clock')) ?? null).toBe(line)
  })

  test.each<[string, ScrapedNetwork['scanBehind'], string | null]>([
    ['known', async () => 24, 'format_checker_scan_behind_seconds{network="base"} 24'],
    ['not known', async () => null, null],
    ['not said by the store', () => Promise.reject(new Error('away')), null],
  ])('says how far the scan of transfers is behind: %s', async (_what, scanBehind, line) => {
    const metrics = createMetrics()
    await scraped(metrics, {}, { networks: [onNetwork(BASE, { scanBehind: async () => 3 })] })
    const { body } = await scraped(metrics, {}, { networks: [onNetwork(BASE, { scanBehind })] })
    expect(body.split('\n').find((each) => each.startsWith('format_checker_scan')) ?? null).toBe(line)
  })

  test('leaves out what the store does not say, and shows it again when it does', async () => {
    const metrics = createMetrics()
    let fails = true
    const ledger = {
      backlog: async () => {
        if (fails) throw new Error('away')
        return backlog
      },
    }
    const first = await scraped(metrics, ledger, { networks: [onNetwork(BASE, { isUp: false })] })
    expect(first.body).not.toMatch(
      /^format_checker_(open_payments|in_doubt_seconds|unpaid_tasks|audit_missing|audit_pending|audit_pending_seconds)[ {]/m,
    )
    expect(first.body).toContain('format_checker_chain_up{network="base"} 0')
    fails = false
    expect((await scraped(metrics, ledger)).body).toContain('format_checker_audit_missing 5')
    fails = true
    expect((await scraped(metrics, ledger)).body).not.toMatch(
      /^format_checker_(open_payments|in_doubt_seconds|unpaid_tasks|audit_missing|audit_pending|audit_pending_seconds)[ {]/m,
    )
  })
})

describe('the gauges of payment channels', () => {
  const totals = channelTotals({
    ...{ channels: 3, deposited: 750_000n, charged: 9_000n, claimed: 4_000n, exposed: 5_000n, lost: 0n },
    ...{ open: 2, withdrawing: 1, urgent: 1, ahead: 0, oldestReadAt: 1_000, depositsInDoubt: 1 },
  })
  const ledger = { backlog: async () => backlog, channelTotals: async () => totals }

  test('show what is open, unclaimed and in doubt', async () => {
    const channels = { claimedWithoutRow: () => 7n }
    const { body } = await scraped(createMetrics(), ledger, { channels })
    for (const line of [
      'format_checker_channels{state="open"} 2',
      'format_checker_channels{state="withdrawing"} 1',
      'format_checker_channels{state="withdrawing_unclaimed"} 1',
      'format_checker_channels{state="ahead"} 0',
      'format_checker_channel_units{what="deposited"} 750000',
      'format_checker_channel_units{what="charged"} 9000',
      'format_checker_channel_units{what="claimed"} 4000',
      'format_checker_channel_units{what="unclaimed"} 5000',
      'format_checker_channel_units{what="lost"} 0',
      'format_checker_channel_units{what="claimed_without_row"} 7',
      'format_checker_channel_unclaimed_limit_units 50000000',
      'format_checker_channel_oldest_read_seconds 60',
      'format_checker_channel_deposits_in_doubt 1',
    ])
      expect(body.split('\n')).toContain(line)
  })

  test('are absent while channels are off and there was never one, and while the store does not say', async () => {
    const never = { ...ledger, channelTotals: async () => channelTotals() }
    const silent = { ...ledger, channelTotals: () => Promise.reject(new Error('away')) }
    const metrics = createMetrics()
    // Channels that are left when they are turned off are watched all the same.
    expect((await scraped(metrics, ledger)).body).toMatch(/^format_checker_channels\{/m)
    for (const each of [never, silent])
      expect((await scraped(metrics, each)).body).not.toMatch(/^format_checker_channel/m)
    const on = { channels: { claimedWithoutRow: () => null } }
    expect((await scraped(metrics, never, on)).body).toMatch(/^format_checker_channels\{state="open"\} 0$/m)
  })
})

test('a scrape shows every reason that holds, those of the store and the shutdown too', async () => {
  const ledger = { backlog: async () => backlog }
  const { body } = await scraped(createMetrics(), ledger, {
    troubles: async () => ['chain_wrong', 'shutting_down'],
  })
  for (const [reason, value] of [
    ['chain_wrong', 1],
    ['shutting_down', 1],
    ['store_unavailable', 0],
  ])
    expect(body).toContain(`format_checker_payment_trouble{reason="${reason}",network="base"} ${value}`)
  const failed = await scraped(createMetrics(), ledger, {
    troubles: () => Promise.reject(new Error('away')),
  })
  expect(failed.body).toContain('format_checker_payment_trouble{reason="store_unavailable",network="base"} 1')
})

test('a scrape of a service on two networks names the one of each figure', async () => {
  const there = onNetwork(BASE_SEPOLIA, { isUp: false, settlementsLeft: 7, gasPerSale: 47_000 })
  const networks = [onNetwork(BASE, { settlementsLeft: 3 }), there]
  const { body } = await scraped(
    createMetrics(),
    {},
    {
      networks,
      troubles: async (network) => (network === there ? ['chain_unavailable'] : []),
    },
  )
  const lines = body.split('\n')
  for (const line of [
    'format_checker_chain_up{network="base"} 1',
    'format_checker_chain_up{network="base-sepolia"} 0',
    'format_checker_settlements_left{network="base"} 3',
    'format_checker_settlements_left{network="base-sepolia"} 7',
    'format_checker_payment_trouble{reason="chain_unavailable",network="base"} 0',
    'format_checker_payment_trouble{reason="chain_unavailable",network="base-sepolia"} 1',
  ])
    expect(lines).toContain(line)
  expect(lines.filter((line) => line.startsWith('format_checker_gas_per_sale{'))).toEqual([
    'format_checker_gas_per_sale{network="base-sepolia"} 47000',
  ])
  expect(lines.filter((line) => line.startsWith('# HELP format_checker_chain_up'))).toHaveLength(1)
})

test('connections, limits and paid calls are counted', async () => {
  const metrics = createMetrics()
  const closed = metrics.connections.opened()
  metrics.connections.opened()
  closed()
  metrics.connections.refused('address')
  metrics.answered({ surface: 'rest', status: 429, ms: 1 })
  metrics.paidCalls.begun()
  metrics.paidCalls.begun()
  metrics.paidCalls.ended('sold', 1_500)
  const lines = (await metrics.expose()).split('\n')
  for (const line of [
    'format_checker_connections 1',
    'format_checker_refused_connections_total{limit="address"} 1',
    'format_checker_refused_connections_total{limit="all"} 0',
    'format_checker_limited_requests_total{surface="rest"} 1',
    'format_checker_paid_calls_under_way 1',
    'format_checker_paid_call_duration_seconds_bucket{le="1",outcome="sold"} 0',
    'format_checker_paid_call_duration_seconds_bucket{le="2",outcome="sold"} 1',
  ])
    expect(lines).toContain(line)
})

describe('the metrics', () => {
  test('begin with every series of a closed list at zero, so that a first event is an increase', async () => {
    const body = await createMetrics().expose()
    expect(body).toContain('format_checker_sale_events_total{event="settlement_not_recorded"} 0')
    expect(body).toContain('format_checker_settlement_duration_seconds_count{outcome="doubtful"} 0')
    expect(body).toContain('format_checker_reconciled_rows_total{outcome="void"} 0')
    expect(body).toContain('format_checker_store_failures_total{kind="write"} 0')
    // The first sale of a check since the start is one, and a burst of errors within the first scrape counts.
    for (const type of [...CHECK_TYPES, 'mixed'])
      expect(body).toContain(`format_checker_sales_total{surface="a2a",type="${type}",outcome="sold"} 0`)
    expect(body).toContain('format_checker_http_request_duration_seconds_count{surface="mcp",status="5xx"} 0')
  })

  test('put surfaces they do not know under one name', async () => {
    const metrics = createMetrics()
    metrics.answered({ surface: 'rest', status: 200, ms: 12 })
    metrics.answered({ surface: '/someone/elses/word', status: 404, ms: 1 })
    metrics.answered({ status: 404, ms: 1 })
    const body = await metrics.expose()
    expect(body).toContain(
      'format_checker_http_request_duration_seconds_count{surface="rest",status="2xx"} 1',
    )
    expect(body).toContain(
      'format_checker_http_request_duration_seconds_count{surface="other",status="4xx"} 2',
    )
    expect(body).not.toContain('someone')
  })

  test('of two processes in one do not mix', async () => {
    const [one, other] = [createMetrics(), createMetrics()]
    one.reconciled('settled')
    expect(await other.expose()).toContain('format_checker_reconciled_rows_total{outcome="settled"} 0')
  })

  test('have a handful of names', async () => {
    const names = new Set([...seriesOf(await createMetrics().expose())].map((each) => each.split('{')[0]))
    expect(names.size).toBeLessThan(45)
  })
})
