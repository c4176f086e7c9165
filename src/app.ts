import type { IncomingMessage, ServerResponse } from 'node:http'
import { every } from './app/every.ts'
import { runHousekeeping } from './app/housekeeping.ts'
import { buildHttpApp } from './app/http-app.ts'
import { type OperatorSide, operatorSide } from './app/operator-side.ts'
import type { AppOptions } from './app/options.ts'
import { buildPaymentLayer, type PaymentLayer } from './app/payment-layer.ts'
import { watchPayments } from './app/payment-watch.ts'
import { startRecoveryLoop } from './app/recovery-loop.ts'
import { checkSecretKey, loadSecretKey } from './app/secret-key.ts'
import { loadCardKey, readFormerKeys } from './app/signing-keys.ts'
import { VERSION } from './app/version.ts'
import { watchParts } from './app/watch.ts'
import { CHECKS, RULESETS } from './checks/checks.ts'
import { problemSender } from './http/problem.ts'
import { unpaidLimiter } from './http/unpaid-limiter.ts'
import { OFFER_RENEWAL_MS } from './payments/extensions/signed-offer.ts'
import { createKeyring } from './payments/keyring.ts'
import { NETWORK } from './payments/terms.ts'
import { loadSkillFolders } from './skills/load.ts'
import { buildRegistry } from './skills/registry.ts'
import type { SkillRegistry } from './skills/skill.ts'
import { buildAgentCard, readCardIdentity } from './surfaces/a2a/agent-card.ts'
import { a2aRoutes } from './surfaces/a2a/routes.ts'
import { documentRoutes } from './surfaces/documents/documents.ts'
import type { DocumentFacts } from './surfaces/documents/facts.ts'
import { descriptionLinks } from './surfaces/documents/link-header.ts'
import { llmsFull } from './surfaces/documents/llms-full.ts'
import { mcpHandler } from './surfaces/mcp/mcp-handler.ts'
import { toolOf } from './surfaces/mcp/tools.ts'
import { healthRoutes } from './surfaces/ops/health.ts'
import { statsRoutes } from './surfaces/ops/stats.ts'
import { type PaymentTrouble, statusRoutes } from './surfaces/ops/status.ts'
import { paymentStateRoutes } from './surfaces/rest/payment-state.ts'
import { restRoutes } from './surfaces/rest/routes.ts'
import { listing } from './surfaces/rest/types.ts'
import { sitePaths, siteRoutes } from './surfaces/site/routes.ts'

export interface App {
  readonly handler: (req: IncomingMessage, res: ServerResponse) => void
  readonly registry: SkillRegistry
  readonly payments: PaymentLayer
  /** The operator's view and the metrics, for a port of their own. */
  readonly operator: OperatorSide
  /** Config, store, migrations and node are there, and the process is not shutting down. */
  ready(): Promise<boolean>
  /** From now on not ready; calls under way go on. */
  drain(): void
  /** Stops loops and timers and writes what is still counted; the ledger stays open. */
  close(): Promise<void>
}

const HOUSEKEEPING_MS = 60_000
const COUNT_FLUSH_MS = 1_000

/** The composition root: joins skills, payments and surfaces around the given parts; listens nowhere. */
export async function buildApp(options: AppOptions): Promise<App> {
  const { baseUrl, log, now, sandbox } = options
  const watch = watchParts({
    ...options,
    onClearedUp: ({ surface, checkType }, outcome) => payments.counts.add(surface, checkType, outcome, now()),
  })
  const { ledger, facilitator, metrics } = watch
  const registry = buildRegistry(loadSkillFolders(), { checks: CHECKS, rulesets: RULESETS })
  const secret = loadSecretKey({ configured: options.secretKey, dataDir: options.dataDir })
  const keys = createKeyring(secret, options.secretKeyPrevious ?? undefined)
  await checkSecretKey(ledger, keys)
  const paymentWatch = watchPayments(options)
  const payments = await buildPaymentLayer({
    ...options,
    ledger,
    facilitator,
    registry,
    keys,
    maySettle: paymentWatch.maySettle,
    chainTime: paymentWatch.chainTime,
    onCount: metrics.saleCounted,
    onEvent: metrics.saleEvent,
  })

  const startedAt = now()
  const sendProblem = problemSender(baseUrl)
  const limiter = unpaidLimiter({ perMinute: options.rateLimitUnpaid, trustedProxies: options.trustProxy })
  const facts = {
    baseUrl,
    network: NETWORK,
    networkName: 'Base',
    asset: payments.terms.requirements.asset,
    payTo: payments.terms.requirements.payTo,
    facilitator: options.facilitatorUrl,
    sandbox,
  }
  const sale = { registry, sell: payments.sell, quote: payments.quotes, limiter, log, baseUrl }
  const cardKey = loadCardKey(options.cardKey, options.dataDir)
  const former = readFormerKeys(options)
  const card = await buildAgentCard({
    identity: readCardIdentity(),
    registry,
    baseUrl,
    version: VERSION,
    key: cardKey,
  })
  const documentFacts: DocumentFacts = {
    baseUrl,
    version: VERSION,
    sandbox,
    skills: registry,
    quote: payments.quotes,
    listing: listing(registry, facts),
    tools: registry.all.map((skill) => toolOf(skill, payments.quotes(skill, 'mcp'))),
    cardKeys: [...cardKey.jwks.keys, ...former.cardKeys],
    receipts: payments.receipts,
    formerReceipts: former.receipts,
    contactEmail: options.contactEmail ?? null,
    bootedAt: startedAt,
  }
  const texts = {
    priceList: JSON.stringify(documentFacts.listing),
    docs: llmsFull(documentFacts).body.toString(),
  }
  const mcp = mcpHandler({
    ...sale,
    version: VERSION,
    texts: { priceList: () => texts.priceList, docs: () => texts.docs },
    allowedHosts: [
      new URL(baseUrl).hostname,
      ...(options.loopback ? ['localhost', '127.0.0.1', '[::1]'] : []),
    ],
    loopback: options.loopback,
  })
  const findPayment = (payer: string, nonce: string) =>
    ledger.find({ network: NETWORK, asset: payments.terms.asset, payer, nonce })
  let draining = false
  const troubles = async (): Promise<PaymentTrouble[]> => [
    ...paymentWatch.troubles(),
    ...(draining ? (['shutting_down'] as const) : []),
    ...((await ledger.ready().catch(() => false)) ? [] : (['store_unavailable'] as const)),
  ]
  const ready = async () => !draining && paymentWatch.chainUp() && (await ledger.ready())
  const handler = buildHttpApp({
    baseUrl,
    sandbox,
    log,
    sendProblem,
    mcp: mcp.handle,
    onAnswer: metrics.answered,
    prepared: [
      restRoutes({ ...sale, skills: registry, listing: facts, sendProblem }),
      documentRoutes({ facts: documentFacts, pages: sitePaths(documentFacts), sendProblem }),
    ],
    surfaces: [
      paymentStateRoutes({ ...sale, findPayment, sendProblem }),
      a2aRoutes({ ...sale, withhold: payments.withhold, tasks: payments.tasks, card, sendProblem }),
      siteRoutes({ facts: documentFacts, links: descriptionLinks(baseUrl), sendProblem }),
      healthRoutes({ sendProblem, ready }),
      statsRoutes({ sendProblem, ledger, registry, version: VERSION, sandbox, startedAt, now }),
      statusRoutes({ sendProblem, registry, version: VERSION, startedAt, now, troubles }),
      ...(options.extraRoutes ?? []),
    ],
  })
  const loops = [
    every(HOUSEKEEPING_MS, () => runHousekeeping(ledger, now, log)),
    every(COUNT_FLUSH_MS, () => payments.counts.flush()),
    every(OFFER_RENEWAL_MS, payments.renewQuotes),
    startRecoveryLoop({ ...options, ledger, owner: payments.context.owner }),
  ]
  return {
    handler,
    registry,
    payments,
    operator: operatorSide({
      ...options,
      watch,
      ownPayers: options.ownPayers ?? [],
      ready,
      chainUp: paymentWatch.chainUp,
      startedAt,
    }),
    ready,
    drain: () => {
      draining = true
    },
    close: async () => {
      draining = true
      limiter.close()
      await Promise.all([...loops.map((loop) => loop.stop()), paymentWatch.stop(), mcp.close()])
      await payments.counts.flush()
    },
  }
}
