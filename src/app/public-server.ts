import { problemSender } from '../http/body/problem.ts'
import type { Handler } from '../http/middleware.ts'
import type { PurchaseType } from '../ledger/payment-row.ts'
import type { SurfaceName } from '../payments/sale.ts'
import { NETWORK } from '../payments/terms/terms.ts'
import type { SkillRegistry } from '../skills/skill.ts'
import { buildAgentCard, readCardIdentity } from '../surfaces/a2a/card/agent-card.ts'
import { cardRoutes } from '../surfaces/a2a/card/card-routes.ts'
import { a2aRoutes } from '../surfaces/a2a/routes.ts'
import { documentRoutes } from '../surfaces/documents/documents.ts'
import { readOperatorFiles } from '../surfaces/documents/operator-files.ts'
import { readGuides } from '../surfaces/documents/texts/guides.ts'
import { llmsFull } from '../surfaces/documents/texts/llms-full.ts'
import { descriptionLinks } from '../surfaces/documents/web/link-header.ts'
import { mcpHandler } from '../surfaces/mcp/mcp-handler.ts'
import { paymentStateRoutes } from '../surfaces/rest/payment-state.ts'
import { restRoutes } from '../surfaces/rest/routes.ts'
import { buildSite, sitePaths } from '../surfaces/site/routes.ts'
import { healthRoutes } from '../surfaces/status/health.ts'
import { statsRoutes } from '../surfaces/status/stats.ts'
import { statusReader, statusRoutes } from '../surfaces/status/status.ts'
import { documentContext, listingOptions } from './document-context.ts'
import type { Readiness } from './health/readiness.ts'
import { buildHttpApp } from './http-app.ts'
import { loadCardKey } from './keys/signing-keys.ts'
import { limitAddresses } from './limit-addresses.ts'
import type { Instruments } from './monitoring/instrument.ts'
import { observeSell } from './monitoring/observe-sell.ts'
import type { AppOptions } from './options.ts'
import type { PaymentLayer } from './payments/payment-layer.ts'
import { traceHoldVerdict, traceLimiter, traceRequests, traceSell } from './tracing/trace-request.ts'
import { VERSION } from './version.ts'

/** What the surfaces are built from. */
export interface PublicServerParts {
  readonly registry: SkillRegistry
  readonly payments: PaymentLayer
  readonly instruments: Pick<Instruments, 'ledger' | 'metrics'>
  readonly readiness: Readiness
  /** UTC milliseconds. */
  readonly startedAt: number
}

export interface PublicServer {
  readonly handler: Handler
  /** Stops the surfaces' timers. */
  close(): Promise<void>
}

/** Builds every surface of the public port over one payment layer and one document context. */
export async function publicServer(options: AppOptions, parts: PublicServerParts): Promise<PublicServer> {
  const { baseUrl, log, now, sandbox } = options
  const { registry, payments, instruments, readiness, startedAt } = parts
  const { ledger, metrics } = instruments
  const sendProblem = problemSender(baseUrl)
  const tracer = options.tracing?.tracer
  const limits = limitAddresses(options, payments.context)
  const quoteList = (type: PurchaseType, items: number, surface: SurfaceName) =>
    payments.quotes.of({ shape: 'list', type, items }, surface)
  const limiter = tracer === undefined ? limits.limiter : traceLimiter(limits.limiter, tracer)
  const observed = observeSell(payments.sell, metrics.paidCalls)
  const sell = tracer === undefined ? observed : traceSell(observed, tracer)
  const holdVerdict =
    tracer === undefined ? payments.holdVerdict : traceHoldVerdict(payments.holdVerdict, tracer)
  const sale = { registry, sell, quote: payments.quotes, quoteList, limiter, log, baseUrl }
  const cardKey = loadCardKey(options.cardKey, options.dataDir)
  const identity = readCardIdentity()
  const card = await buildAgentCard({
    identity,
    registry,
    baseUrl,
    version: VERSION,
    key: cardKey,
    channels: payments.channels !== undefined,
  })
  const listing = listingOptions(options, payments)
  const context = documentContext(options, { registry, payments, listing, cardKey, startedAt })
  const texts = { priceList: JSON.stringify(context.listing), docs: llmsFull(context).body.toString() }
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
  const { ready, troubles } = readiness
  const guides = readGuides(options)
  const status = statusReader({ registry, version: VERSION, startedAt, now, troubles })
  const site = buildSite({ context, guides, status, links: descriptionLinks(baseUrl), sendProblem })
  const handler = buildHttpApp({
    baseUrl,
    sandbox,
    log,
    sendProblem,
    mcp: mcp.handle,
    track: limiter.track,
    ...(tracer === undefined ? {} : { trace: traceRequests(tracer) }),
    onAnswer: metrics.answered,
    prepared: [
      restRoutes({
        ...sale,
        skills: registry,
        listing,
        sendProblem,
        ...(payments.channels === undefined ? {} : { refund: payments.channels.refund }),
      }),
      documentRoutes({
        context,
        guides,
        pages: sitePaths(context, guides),
        operatorFiles: readOperatorFiles(options.wellKnownDir ?? null),
        sendProblem,
      }),
      cardRoutes({ card, sendProblem }),
    ],
    surfaces: [
      paymentStateRoutes({ ...sale, findPayment, sendProblem }),
      a2aRoutes({ ...sale, holdVerdict, tasks: payments.tasks, card: card.card }),
      site.routes,
      healthRoutes({ sendProblem, ready }),
      statsRoutes({ sendProblem, ledger, registry, version: VERSION, sandbox, startedAt, now }),
      statusRoutes({ sendProblem, status }),
      ...(options.extraRoutes ?? []),
      site.notFound,
    ],
  })
  return {
    handler,
    close: async () => {
      await limits.close()
      await mcp.close()
    },
  }
}
