import { type AdminServer, adminServer } from './app/admin-server.ts'
import { createPaymentHealth } from './app/health/payment-health.ts'
import { createReadiness } from './app/health/readiness.ts'
import { channelLoops } from './app/jobs/channel-loops.ts'
import { runHousekeeping } from './app/jobs/housekeeping.ts'
import { keepBindingKey } from './app/jobs/keep-binding-key.ts'
import { startRecoveryLoop } from './app/jobs/recovery-loop.ts'
import { repeat } from './app/jobs/repeat.ts'
import { checkSecretKey, loadSecretKey } from './app/keys/secret-key.ts'
import { instrument } from './app/monitoring/instrument.ts'
import type { AppOptions } from './app/options.ts'
import { buildPaymentLayer, type PaymentLayer } from './app/payments/payment-layer.ts'
import { publicServer } from './app/public/public-server.ts'
import { traceChecks, traceParts } from './app/tracing/trace-parts.ts'
import { CHECKS, RULESETS } from './checks/checks.ts'
import type { ConnectionObserver } from './http/limits/connection-limits.ts'
import type { Handler } from './http/middleware.ts'
import { OFFER_RENEWAL_MS } from './payments/extensions/signed-offer.ts'
import { createKeyring } from './payments/secrets/keyring.ts'
import { NETWORK } from './payments/terms/terms.ts'
import { loadSkillFolders } from './skills/load.ts'
import { buildRegistry } from './skills/registry.ts'
import type { SkillRegistry } from './skills/skill.ts'

export interface App {
  readonly handler: Handler
  readonly registry: SkillRegistry
  readonly payments: PaymentLayer
  /** Builds the handler of the admin port. */
  readonly admin: AdminServer
  /** Is informed of the public port's connections. */
  readonly connections: ConnectionObserver
  /** True if the store and its schema are there and the process is not shutting down. */
  ready(): Promise<boolean>
  /** Makes `ready` answer false; calls in flight go on. */
  drain(): void
  /** Stops loops and timers and writes the pending counts; the ledger stays open. */
  close(): Promise<void>
}

const HOUSEKEEPING_MS = 60_000
const COUNT_FLUSH_MS = 1_000
/** Sales for so long cannot be repeated if a store that lost the key of the hour outlives the process that has it. */
const KEY_LOOK_MS = 5_000

/** The composition root: wires skills, payments and surfaces around the given parts. Does not listen. */
export async function buildApp(given: AppOptions): Promise<App> {
  const tracer = given.tracing?.tracer
  const options = tracer === undefined ? given : traceParts(given, tracer)
  const { log, now } = options
  const instruments = instrument({
    ...options,
    onClearedUp: ({ surface, checkType }, outcome) => payments.counts.add(surface, checkType, outcome, now()),
  })
  const { ledger, facilitator, metrics } = instruments
  const registry = buildRegistry(loadSkillFolders(), {
    checks: tracer === undefined ? CHECKS : traceChecks(CHECKS, tracer),
    rulesets: RULESETS,
  })
  const secret = loadSecretKey({ configured: options.secretKey, dataDir: options.dataDir })
  const keys = createKeyring(secret, options.secretKeyPrevious ?? undefined)
  await checkSecretKey(ledger, keys)
  const health = createPaymentHealth(options)
  // Until the node has answered once no sale may be claimed: the claim records the newest block.
  await health.firstLook
  const payments = await buildPaymentLayer({
    ...options,
    ledger,
    facilitator,
    registry,
    keys,
    maySettle: health.maySettle,
    chainTime: health.chainTime,
    headNumber: health.headNumber,
    onCount: metrics.saleCounted,
    onEvent: metrics.saleEvent,
  })

  const startedAt = now()
  const readiness = createReadiness(ledger, health)
  const server = await publicServer(options, { registry, payments, instruments, readiness, startedAt })
  const loops = [
    repeat(HOUSEKEEPING_MS, () => runHousekeeping(ledger, { now, chainTime: health.chainTime }, log)),
    repeat(KEY_LOOK_MS, () => keepBindingKey(payments.context.bindings, now)),
    repeat(COUNT_FLUSH_MS, () => payments.counts.flush()),
    repeat(OFFER_RENEWAL_MS, payments.renewQuotes),
    ...channelLoops(payments, log, options.channels?.authorizer.address),
    startRecoveryLoop({
      ...options,
      ledger,
      owner: payments.context.owner,
      payee: { network: NETWORK, asset: payments.terms.asset, payTo: payments.terms.payTo },
      onUnknownTransfer: metrics.unknownTransfer,
    }),
  ]
  return {
    handler: server.handler,
    registry,
    payments,
    admin: adminServer({
      ...options,
      instruments,
      ownPayers: options.ownPayers ?? [],
      ready: readiness.ready,
      chainUp: health.chainUp,
      troubles: readiness.troubles,
      gauges: health.gauges,
      channelMonitor: payments.channels?.tending,
      startedAt,
    }),
    connections: metrics.connections,
    ready: readiness.ready,
    drain: readiness.drain,
    close: async () => {
      readiness.drain()
      await Promise.all([...loops.map((loop) => loop.stop()), health.stop(), server.close()])
      await payments.counts.flush()
    },
  }
}
