import { channelGauges } from './channel-gauges.ts'
import type { MetricMakers } from './metric-makers.ts'

export type Gauges = ReturnType<typeof createGauges>

/** A gauge whose value is unknown is removed, because a zero would look like good news. */
export function createGauges(makers: MetricMakers) {
  const { gauge } = makers
  return {
    open: gauge(
      'open_payments',
      'Unresolved payments by state; absent if the store does not answer.',
      'state',
    ),
    inDoubtSeconds: gauge(
      'in_doubt_seconds',
      'Age of the oldest payment in doubt, 0 without one; absent if the store does not answer.',
    ),
    unpaidTasks: gauge('unpaid_tasks', 'Tasks that wait for a payment; absent if the store does not answer.'),
    auditMissing: gauge(
      'audit_missing',
      'Settled payments whose transfer is missing on the chain; absent if the store does not answer.',
    ),
    auditPending: gauge(
      'audit_pending',
      'Settled payments that were not audited yet; absent if the store does not answer.',
    ),
    auditPendingSeconds: gauge(
      'audit_pending_seconds',
      'Age of the oldest settled payment that was not audited yet, 0 without one; absent if the store does not answer.',
    ),
    scanBehind: gauge(
      'scan_behind_seconds',
      'From the newest final block back to the one up to which transfers were scanned; absent while not known.',
      'network',
    ),
    chainUp: gauge(
      'chain_up',
      '1 while the node behind RPC_URL answers and makes progress; 0 means that new sales are paused.',
      'network',
    ),
    clockAhead: gauge(
      'clock_ahead_seconds',
      'By how much the clock of the store is ahead of the newest block, negative if behind; absent while not known.',
      'network',
    ),
    trouble: gauge(
      'payment_trouble',
      '1 for each reason that pauses new sales or soon will, 0 for the others.',
      'reason',
      'network',
    ),
    settlementsLeft: gauge(
      'settlements_left',
      'Settlements the account of SETTLEMENT_KEY can still pay for; absent if another facilitator settles.',
      'network',
    ),
    settlementsPending: gauge(
      'settlements_pending',
      'Own settlements that are signed and not known to be mined; absent if another facilitator settles.',
      'network',
    ),
    gasPerSale: gauge(
      'gas_per_sale',
      'Gas of an own settlement, median of the last hour of this process; absent without one.',
      'network',
    ),
    runwayDays: gauge(
      'settlement_runway_days',
      'For how many days the settlement account lasts at the sales of the last seven; absent without sales.',
      'network',
    ),
    treasury: gauge(
      'treasury_units',
      'What own settlements of this UTC day earn, spend, reserve and lose, in millionths of a dollar; absent without one.',
      'what',
    ),
    settlementBatches: gauge(
      'settlement_batches',
      'Own transactions since the start by the most payments in them (1, 2, 4 to 128); absent if another facilitator settles.',
      'most',
      'network',
    ),
    storeWaiting: gauge(
      'store_waiting',
      'Store calls that wait for a connection, or for the commit that carries them.',
    ),
    storeConnections: gauge(
      'store_connections',
      'Connections to PostgreSQL that sales use: in use, or open and idle; absent on SQLite.',
      'state',
    ),
    ...channelGauges(makers),
  }
}
