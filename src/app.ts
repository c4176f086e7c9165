import { type AdminServer, adminServer } from './app/admin-server.ts'
import { createPaymentHealth } from './app/health/payment-health.ts'
import { createReadiness } from './app/health/readiness.ts'
import { channelLoops } from './app/jobs/channel-loops.ts'
import { runHousekeeping } from './app/jobs/housekeeping.ts'
import { startRecoveryLoop } from './app/jobs/recovery-loop.ts'
import { repeat } from './app/jobs/repeat.ts'
import { checkSecretKey, loadSecretKey } from './app/keys/secret-key.ts'
import { watchParts } from './app/monitoring/instrument.ts'
import type { AppOptions } from './app/options.ts'
import { buildPaymentLayer, type PaymentLayer } from './app/payment-layer.ts'
import { publicServer } from './app/public-server.ts'
import { CHECKS, RULESETS } from './checks/checks.ts'
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
  /** The handler of the admin port. */
  readonly operator: AdminServer
  /** True if the store and its schema are there and the process is not shutting down. */
  ready(): Promise<boolean>
  /** Makes `ready` answer false; calls in flight go on. */
  drain(): void
  /** Stops loops and timers and writes the pending counts; the ledger stays open. */
  close(): Promise<void>
}

const HOUSEKEEPING_MS = 60_000
const COUNT_FLUSH_MS = 1_000

/** The composition root: wires skills, payments and surfaces around the given parts. Does not listen. */
export async function buildApp(options: AppOptions): Promise<App> {
  const { log, now } = options
  const watch = watchParts({
    ...options,
    onClearedUp: ({ surface, checkType }, outcome) => payments.counts.add(surface, checkType, outcome, now()),
  })
  const { ledger, facilitator, metrics } = watch
  const registry = buildRegistry(loadSkillFolders(), { checks: CHECKS, rulesets: RULESETS })
  const secret = loadSecretKey({ configured: options.secretKey, dataDir: options.dataDir })
  const keys = createKeyring(secret, options.secretKeyPrevious ?? undefined)
  await checkSecretKey(ledger, keys)
  const paymentWatch = createPaymentHealth(options)
  // Until the node has answered once no sale may be claimed: the claim records the newest block.
  await paymentWatch.firstLook
  const payments = await buildPaymentLayer({
    ...options,
    ledger,
    facilitator,
    registry,
    keys,
    maySettle: paymentWatch.maySettle,
    chainTime: paymentWatch.chainTime,
    headNumber: paymentWatch.headNumber,
    onCount: metrics.saleCounted,
    onEvent: metrics.saleEvent,
  })

  const startedAt = now()
  const standing = createReadiness(ledger, paymentWatch)
  const face = await publicServer(options, { registry, payments, watch, standing, startedAt })
  const loops = [
    repeat(HOUSEKEEPING_MS, () => runHousekeeping(ledger, now, log)),
    repeat(COUNT_FLUSH_MS, () => payments.counts.flush()),
    repeat(OFFER_RENEWAL_MS, payments.renewQuotes),
    ...channelLoops(payments, log),
    startRecoveryLoop({
      ...options,
      ledger,
      owner: payments.context.owner,
      payee: { network: NETWORK, asset: payments.terms.asset, payTo: payments.terms.payTo },
      onUnknownTransfer: metrics.unknownTransfer,
    }),
  ]
  return {
    handler: face.handler,
    registry,
    payments,
    operator: adminServer({
      ...options,
      watch,
      ownPayers: options.ownPayers ?? [],
      ready: standing.ready,
      chainUp: paymentWatch.chainUp,
      troubles: paymentWatch.troubles,
      gauges: paymentWatch.gauges,
      startedAt,
    }),
    ready: standing.ready,
    drain: standing.drain,
    close: async () => {
      standing.drain()
      await Promise.all([...loops.map((loop) => loop.stop()), paymentWatch.stop(), face.close()])
      await payments.counts.flush()
    },
  }
}
