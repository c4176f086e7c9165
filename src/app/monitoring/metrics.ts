import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { AccessEntry } from '../../http/access-log.ts'
import type { ChannelEvent } from '../../payments/channels/sale/channel-context.ts'
import type { SaleReport } from '../../payments/sale/sale-context.ts'
import type { SettleOutcome } from '../../payments/sale/settle-outcome.ts'
import type { StoreCall } from './observe-ledger.ts'

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
  /** Set at each scrape; see `scrape.ts`. */
  readonly gauges: StoreGauges
  readonly registry: Registry
}

export interface StoreGauges {
  readonly open: Gauge<'state'>
  readonly auditMissing: Gauge
  readonly auditPending: Gauge
  readonly chainUp: Gauge
  readonly paused: Gauge<'reason'>
  readonly settlementsLeft: Gauge
  readonly settlementsPending: Gauge
}

const PREFIX = 'format_checker_'
const SURFACES = new Set(['rest', 'a2a', 'mcp', 'ops', 'documents', 'site'])
const SETTLEMENTS = ['settled', 'refused', 'doubtful', 'not_sent'] as const
const EVENTS = [
  'settlement_not_recorded',
  'settlement_doubtful',
  'facilitator_unavailable',
  'chain_unavailable',
] as const satisfies readonly SaleReport['event'][]

const HTTP_SECONDS = [0.005, 0.025, 0.1, 0.5, 1, 2.5, 5, 10, 30]
const SETTLE_SECONDS = [0.1, 0.25, 0.5, 1, 2, 3, 5, 10, 20]
const STORE_SECONDS = [0.001, 0.005, 0.025, 0.1, 0.5, 2]

/** Creates the metrics of one process in their own registry. */
export function createMetrics(): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  const sales = new Counter({
    name: `${PREFIX}sales_total`,
    help: 'Calls of a check by surface, type and outcome.',
    labelNames: ['surface', 'type', 'outcome'],
    registers,
  })
  const events = new Counter({
    name: `${PREFIX}sale_events_total`,
    help: 'Events of a sale that may need the operator.',
    labelNames: ['event'],
    registers,
  })
  const answers = new Histogram({
    name: `${PREFIX}http_request_duration_seconds`,
    help: 'HTTP requests by surface and status class.',
    labelNames: ['surface', 'status'],
    buckets: HTTP_SECONDS,
    registers,
  })
  const settlements = new Histogram({
    name: `${PREFIX}settlement_duration_seconds`,
    help: 'Duration of settlements at the facilitator, by outcome.',
    labelNames: ['outcome'],
    buckets: SETTLE_SECONDS,
    registers,
  })
  const reconciled = new Counter({
    name: `${PREFIX}reconciled_rows_total`,
    help: 'Doubtful payments the chain has cleared up: paid, or void and never charged.',
    labelNames: ['outcome'],
    registers,
  })
  const store = new Histogram({
    name: `${PREFIX}store_duration_seconds`,
    help: 'Duration of store calls, by kind.',
    labelNames: ['kind'],
    buckets: STORE_SECONDS,
    registers,
  })
  const storeFailures = new Counter({
    name: `${PREFIX}store_failures_total`,
    help: 'Store calls that failed, by kind.',
    labelNames: ['kind'],
    registers,
  })
  const unknownTransfers = new Counter({
    name: `${PREFIX}unknown_transfers_total`,
    help: 'Transfers to PAY_TO that no payment of this ledger accounts for.',
    registers,
  })
  // Prometheus can compute a rate only if the series existed before its first increment.
  for (const event of EVENTS) events.inc({ event }, 0)
  for (const outcome of SETTLEMENTS) settlements.zero({ outcome })
  for (const outcome of ['settled', 'void']) reconciled.inc({ outcome }, 0)
  for (const kind of ['read', 'write']) storeFailures.inc({ kind }, 0)

  return {
    saleCounted: (surface, type, outcome) => sales.inc({ surface, type, outcome }),
    saleEvent: (event) => events.inc({ event }),
    answered: ({ surface, status, ms }) =>
      answers.observe({ surface: knownSurface(surface), status: `${Math.floor(status / 100)}xx` }, ms / 1000),
    settlement: (outcome, ms) => settlements.observe({ outcome }, ms / 1000),
    unknownTransfer: () => unknownTransfers.inc(),
    reconciled: (outcome) => reconciled.inc({ outcome }),
    storeCalled: ({ kind, ms, failed }) => {
      store.observe({ kind }, ms / 1000)
      if (failed) storeFailures.inc({ kind })
    },
    gauges: storeGauges(registers),
    registry,
  }
}

const knownSurface = (surface: string | undefined) =>
  surface !== undefined && SURFACES.has(surface) ? surface : 'other'

const storeGauges = (registers: Registry[]): StoreGauges => ({
  open: new Gauge({
    name: `${PREFIX}open_payments`,
    help: 'Unresolved payments by state; absent if the store does not answer.',
    labelNames: ['state'],
    registers,
  }),
  auditMissing: new Gauge({
    name: `${PREFIX}audit_missing`,
    help: 'Settled payments whose transfer is missing on the chain; absent if the store does not answer.',
    registers,
  }),
  auditPending: new Gauge({
    name: `${PREFIX}audit_pending`,
    help: 'Settled payments that were not audited yet; absent if the store does not answer.',
    registers,
  }),
  chainUp: new Gauge({
    name: `${PREFIX}chain_up`,
    help: '1 while the node behind RPC_URL answers and makes progress; 0 means that new sales are paused.',
    registers,
  }),
  paused: new Gauge({
    name: `${PREFIX}payment_trouble`,
    help: '1 for each reason that pauses new sales or soon will, 0 for the others.',
    labelNames: ['reason'],
    registers,
  }),
  settlementsLeft: new Gauge({
    name: `${PREFIX}settlements_left`,
    help: 'Settlements the account of SETTLEMENT_KEY can still pay for; absent if another facilitator settles.',
    registers,
  }),
  settlementsPending: new Gauge({
    name: `${PREFIX}settlements_pending`,
    help: 'Own settlements that are signed and not known to be mined; absent if another facilitator settles.',
    registers,
  }),
})
