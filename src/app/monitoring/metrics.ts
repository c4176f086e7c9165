import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import { CHECK_TYPES } from '../../checks/verdict.ts'
import type { AccessEntry } from '../../http/access-log.ts'
import type { ConnectionObserver, RefusedConnection } from '../../http/limits/connection-limits.ts'
import type { PurchaseType } from '../../ledger/payment-row.ts'
import type { ChannelEvent } from '../../payments/channels/sale/channel-context.ts'
import type { SaleReport } from '../../payments/sale/sale-context.ts'
import type { SettleOutcome } from '../../payments/sale/settle-outcome.ts'
import { SURFACE_NAMES } from '../../payments/sale.ts'
import type { Latency } from '../../surfaces/admin/operator/figures/figures.ts'
import { createGauges, type Gauges } from './gauges.ts'
import { latencyOf } from './latency.ts'
import type { StoreCall } from './observe-ledger.ts'
import { PAID_OUTCOMES, type PaidCallObserver } from './observe-sell.ts'
import { PREFIX } from './prefix.ts'

/**
 * The Prometheus metrics; their names are stable.
 *
 * Every label takes its values from a closed list of our own words, never a payer, value, path or address, so traffic
 * cannot add series.
 */
export interface Metrics {
  saleCounted(surface: string, type: string, outcome: string): void
  saleEvent(event: SaleReport['event'] | ChannelEvent): void
  answered(entry: Pick<AccessEntry, 'surface' | 'status' | 'ms'>): void
  settlement(outcome: SettleOutcome['kind'], ms: number): void
  reconciled(outcome: 'settled' | 'void'): void
  storeCalled(call: StoreCall): void
  /** The audit found a transfer to PAY_TO that no row accounts for. */
  unknownTransfer(): void
  /** A request to the admin port without the token. */
  adminRefused(): void
  /** Since the process started; kinds without a call are left out. */
  latency(): Promise<readonly Latency[]>
  readonly paidCalls: PaidCallObserver
  readonly connections: ConnectionObserver
  /** Set at each scrape; see `scrape.ts`. */
  readonly gauges: Gauges
  readonly registry: Registry
}

/** Those of the objective of server errors; probes are not in it. */
const SERVED_SURFACES = [...SURFACE_NAMES, 'documents', 'site'] as const
const SURFACES: ReadonlySet<string> = new Set([...SERVED_SURFACES, 'ops'])
const LATENCY_SURFACES = [
  ['rest', 'Answers over REST'],
  ['a2a', 'Answers over A2A'],
  ['mcp', 'Answers over MCP'],
  ['site', 'Pages'],
] as const
const SOLD_TYPES = [...CHECK_TYPES, 'mixed'] as const satisfies readonly PurchaseType[]
const SETTLEMENTS = ['settled', 'refused', 'doubtful', 'not_sent'] as const
const EVENTS = [
  'settlement_not_recorded',
  'settlement_doubtful',
  'settlement_unconfirmed',
  'facilitator_unavailable',
  'chain_unavailable',
] as const satisfies readonly SaleReport['event'][]
const CHANNEL_EVENTS = [
  'channel_deposit_doubtful',
  'channel_claim_failed',
  'channel_voucher_lost',
  'channel_withdrawal_seen',
  'channel_exposure_reached',
] as const satisfies readonly ChannelEvent[]
const REFUSED = ['all', 'address', 'pipeline'] as const satisfies readonly RefusedConnection[]

const HTTP_SECONDS = [0.005, 0.025, 0.1, 0.5, 1, 2.5, 5, 10, 30]
/** With the bound of the latency objective, 5 s; docs/operations.md. */
const PAID_SECONDS = [0.1, 0.5, 1, 2, 3, 5, 10, 20, 30]
const SETTLE_SECONDS = [0.1, 0.25, 0.5, 1, 2, 3, 5, 10, 20]
const STORE_SECONDS = [0.001, 0.005, 0.025, 0.1, 0.5, 2]
const TOO_MANY_REQUESTS = 429

/** Creates the metrics of one process in their own registry. */
export function createMetrics(): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const counter = <Label extends string>(name: string, help: string, ...labelNames: Label[]) =>
    new Counter({ name: `${PREFIX}${name}`, help, labelNames, registers })
  const histogram = <Label extends string>(
    name: string,
    buckets: number[],
    help: string,
    ...labelNames: Label[]
  ) => new Histogram({ name: `${PREFIX}${name}`, help, labelNames, buckets, registers })
  const gauge = (name: string, help: string) => new Gauge({ name: `${PREFIX}${name}`, help, registers })

  const sales = counter(
    'sales_total',
    'Calls of a check by surface, type and outcome.',
    'surface',
    'type',
    'outcome',
  )
  const events = counter('sale_events_total', 'Events of a sale that may need the operator.', 'event')
  const answers = histogram(
    'http_request_duration_seconds',
    HTTP_SECONDS,
    'HTTP requests by surface and status class.',
    'surface',
    'status',
  )
  const limited = counter(
    'limited_requests_total',
    'Requests answered 429 because of a limit, by surface.',
    'surface',
  )
  const paid = histogram(
    'paid_call_duration_seconds',
    PAID_SECONDS,
    'Calls with a payment, from the validated request to its outcome; quotes are not counted.',
    'outcome',
  )
  const paidUnderWay = gauge('paid_calls_under_way', 'Calls with a payment that have no outcome yet.')
  const settlements = histogram(
    'settlement_duration_seconds',
    SETTLE_SECONDS,
    'Duration of settlements at the facilitator, by outcome.',
    'outcome',
  )
  const reconciled = counter(
    'reconciled_rows_total',
    'Doubtful payments the chain has cleared up: paid, or void and never charged.',
    'outcome',
  )
  const store = histogram(
    'store_duration_seconds',
    STORE_SECONDS,
    'Duration of store calls, by kind.',
    'kind',
  )
  const storeFailures = counter('store_failures_total', 'Store calls that failed, by kind.', 'kind')
  const unknownTransfers = counter(
    'unknown_transfers_total',
    'Transfers to PAY_TO that no payment of this ledger accounts for.',
  )
  const openConnections = gauge('connections', 'Open connections of the public port.')
  const refusedConnections = counter(
    'refused_connections_total',
    'Connections refused or closed because of a limit: of all, of one address, or of requests on one connection.',
    'limit',
  )
  const adminRefusals = counter(
    'admin_refusals_total',
    'Requests to the admin port without the token, or with another one.',
  )
  // Prometheus can compute a rate only if the series existed before its first increment.
  for (const event of [...EVENTS, ...CHANNEL_EVENTS]) events.inc({ event }, 0)
  for (const outcome of SETTLEMENTS) settlements.zero({ outcome })
  for (const outcome of ['settled', 'void']) reconciled.inc({ outcome }, 0)
  for (const kind of ['read', 'write']) storeFailures.inc({ kind }, 0)
  for (const limit of REFUSED) refusedConnections.inc({ limit }, 0)
  for (const surface of SURFACE_NAMES) {
    limited.inc({ surface }, 0)
    for (const type of SOLD_TYPES) {
      for (const outcome of ['payment_required', 'sold']) sales.inc({ surface, type, outcome }, 0)
    }
  }
  for (const surface of SERVED_SURFACES) answers.zero({ surface, status: '5xx' })
  for (const outcome of PAID_OUTCOMES) paid.zero({ outcome })

  return {
    saleCounted: (surface, type, outcome) => sales.inc({ surface, type, outcome }),
    saleEvent: (event) => events.inc({ event }),
    answered: ({ surface: named, status, ms }) => {
      const surface = named !== undefined && SURFACES.has(named) ? named : 'other'
      answers.observe({ surface, status: `${Math.floor(status / 100)}xx` }, ms / 1000)
      if (status === TOO_MANY_REQUESTS) limited.inc({ surface })
    },
    settlement: (outcome, ms) => settlements.observe({ outcome }, ms / 1000),
    unknownTransfer: () => unknownTransfers.inc(),
    adminRefused: () => adminRefusals.inc(),
    reconciled: (outcome) => reconciled.inc({ outcome }),
    storeCalled: ({ kind, ms, failed }) => {
      store.observe({ kind }, ms / 1000)
      if (failed) storeFailures.inc({ kind })
    },
    latency: async () => {
      const rows = await Promise.all([
        latencyOf(paid, 'Paid calls that were sold', { outcome: 'sold' }),
        ...LATENCY_SURFACES.map(([surface, name]) => latencyOf(answers, name, { surface })),
      ])
      return rows.filter((row) => row !== null)
    },
    paidCalls: {
      begun: () => paidUnderWay.inc(),
      ended: (outcome, ms) => {
        paidUnderWay.dec()
        paid.observe({ outcome }, ms / 1000)
      },
    },
    connections: {
      opened: () => {
        openConnections.inc()
        return () => openConnections.dec()
      },
      refused: (limit) => refusedConnections.inc({ limit }),
    },
    gauges: createGauges(registry),
    registry,
  }
}
