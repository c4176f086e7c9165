import { type AdminServer, adminServer } from './app/admin-server.ts'
import { createPaymentHealth } from './app/health/payment-health.ts'
import { createReadiness } from './app/health/readiness.ts'
import { startLoops } from './app/jobs/start-loops.ts'
import { checkSecretKey, openKeyring } from './app/keys/secret-key.ts'
import { openReceiptKey } from './app/keys/signing-keys.ts'
import { instrument } from './app/monitoring/instrument.ts'
import type { AppOptions } from './app/options.ts'
import { buildPaymentLayer, type PaymentLayer } from './app/payments/payment-layer.ts'
import { publicServer } from './app/public/public-server.ts'
import { buildRegistry } from './catalog/registry.ts'
import type { ConnectionObserver } from './http/limits/connection-limits.ts'
import type { Traffic } from './http/limits/traffic-budget.ts'
import type { Handler } from './http/middleware.ts'
import { refuseMixed } from './payments/networks/networks.ts'
import { scanBehind } from './payments/recovery/unknown-transfers.ts'
import { mapAll } from './values/non-empty.ts'

export interface App {
  readonly handler: Handler
  readonly paidCalls: PaymentLayer['paidCalls']
  readonly admin: AdminServer
  readonly connections: ConnectionObserver
  readonly traffic: Traffic
  /** Makes `/readyz` answer 503; calls go on. */
  drain(): void
  /** Stops loops and timers and writes the pending counts; the ledger stays open. */
  close(): Promise<void>
}

/** Does not listen. */
export async function buildApp(options: AppOptions): Promise<App> {
  const { now } = options
  refuseMixed(options.networks.map(({ network }) => network))
  const instruments = instrument({
    ...options,
    onClearedUp: ({ surface, checkType }, outcome) => payments.counts.add(surface, checkType, outcome, now()),
  })
  const { ledger, metrics } = instruments
  const registry = buildRegistry()
  const keys = openKeyring(options.keys, options.dataDir)
  await checkSecretKey(ledger, keys)
  const networks = mapAll(instruments.networks, (parts) => {
    const health = createPaymentHealth({
      ...parts,
      signerState: options.signer?.state,
      now,
      log: options.log,
    })
    const payee = { network: parts.network.id, payTo: options.payTo }
    const behind = () =>
      scanBehind({ ...parts, ledger, payee }, health.chainUp() ? health.headNumber() : null)
    return { ...parts, ...health, scanBehind: behind }
  })
  // A claim of a sale records the newest block, so the node must have answered once.
  await Promise.all(networks.map(({ firstPoll }) => firstPoll))
  const payments = await buildPaymentLayer({
    ...options,
    networks,
    ledger,
    registry,
    keys,
    receiptKey: openReceiptKey(options),
    onCount: metrics.saleCounted,
    onEvent: metrics.saleEvent,
  })

  const startedAt = now()
  const readiness = createReadiness(ledger)
  const server = await publicServer(options, {
    registry,
    payments,
    instruments,
    ready: readiness.ready,
    troubles: () => Promise.all(mapAll(networks, readiness.troubles)),
    startedAt,
  })
  const stopLoops = startLoops(options, { ledger, payments, metrics })
  return {
    handler: server.handler,
    paidCalls: payments.paidCalls,
    admin: adminServer({
      ...options,
      instruments,
      ready: readiness.ready,
      networks,
      troubles: readiness.troubles,
      channelMonitor: payments.channels?.maintenance,
      sandbox: !options.networks[0].network.isRealMoney,
      startedAt,
    }),
    connections: metrics.connections,
    traffic: server.traffic,
    drain: readiness.drain,
    close: async () => {
      readiness.drain()
      await Promise.all([stopLoops(), ...networks.map(({ stop }) => stop()), server.close()])
      await payments.counts.flush()
    },
  }
}
