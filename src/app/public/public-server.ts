import type { SkillRegistry } from '../../catalog/skill.ts'
import { VERSION } from '../../files/version.ts'
import { problemSender, type SendProblem } from '../../http/body/problem.ts'
import { type Traffic, trafficBudget } from '../../http/limits/traffic-budget.ts'
import { type UnpaidLimiter, unpaidLimiter } from '../../http/limits/unpaid-limiter.ts'
import type { Handler, Middleware } from '../../http/middleware.ts'
import { pathOf } from '../../http/request-target.ts'
import { cardRoutes } from '../../surfaces/a2a/card/card-routes.ts'
import { a2aRoutes } from '../../surfaces/a2a/endpoint.ts'
import { createCounter } from '../../surfaces/call/counter.ts'
import { PATHS } from '../../surfaces/call/paths.ts'
import { skillExecutors } from '../../surfaces/call/skill-executor.ts'
import { llmsFull } from '../../surfaces/documents/texts/llms-full.ts'
import { type McpEndpoint, mcpHandler } from '../../surfaces/mcp/mcp-handler.ts'
import { addChannelHandlers } from '../../surfaces/rest/channel.ts'
import { paymentStateRoutes } from '../../surfaces/rest/payment-state.ts'
import { type RouteParts as RestParts, restRoutes } from '../../surfaces/rest/routes.ts'
import { liveRoutes } from '../../surfaces/site/status/live-routes.ts'
import { type Status, type StatusDeps, statusReader } from '../../surfaces/site/status/status.ts'
import { LOOPBACK_NAMES } from '../../values/loopback.ts'
import type { Readiness } from '../health/readiness.ts'
import type { Instruments } from '../monitoring/instrument.ts'
import { observeSell } from '../monitoring/observe-sell.ts'
import type { AppOptions } from '../options.ts'
import type { PaymentLayer } from '../payments/payment-layer.ts'
import { countForwarded } from './count-forwarded.ts'
import { buildHttpApp } from './http-app.ts'
import { type Published, publish } from './publish.ts'
import { publishedRoutes } from './published-routes.ts'

export interface PublicServerParts {
  readonly registry: SkillRegistry
  readonly payments: PaymentLayer
  readonly instruments: Pick<Instruments, 'ledger' | 'metrics'>
  readonly ready: Readiness['ready']
  readonly troubles: StatusDeps['troubles']
  /** UTC milliseconds. */
  readonly startedAt: number
}

export interface PublicServer {
  readonly handler: Handler
  readonly traffic: Traffic
  close(): Promise<void>
}

export async function publicServer(options: AppOptions, parts: PublicServerParts): Promise<PublicServer> {
  const { baseUrl, log, networks } = options
  const limiter = unpaidLimiter(options.limits)
  const traffic = trafficBudget(options.limits, limiter)
  const deps = surfaceDeps(options, parts, limiter)
  const published = await publish(options, parts)
  const sendProblem = problemSender(baseUrl)
  const mcp = mcpEndpoint(options, deps, published)
  const status = statusReader({ ...parts, version: VERSION, now: options.now })
  const site = publishedRoutes(options, published, { status, sendProblem })
  const handler = buildHttpApp({
    baseUrl,
    sandbox: !networks[0].network.isRealMoney,
    log,
    sendProblem,
    onAnswer: parts.instruments.metrics.answered,
    surfaces: [
      limiter.track,
      mcpRoute(mcp),
      ...routes(options, parts, { deps, published, site, status, sendProblem }),
    ],
  })
  return {
    handler,
    traffic,
    close: async () => {
      limiter.close()
      traffic.close()
      site.close()
      await mcp.close()
    },
  }
}

type SurfaceDeps = ReturnType<typeof surfaceDeps>

function surfaceDeps(
  { log, baseUrl }: AppOptions,
  { registry, payments, instruments }: PublicServerParts,
  limiter: UnpaidLimiter,
) {
  const { holdVerdict, tasks, quotes: quote } = payments
  const sell = observeSell(payments.sell, instruments.metrics.paidCalls)
  const counter = createCounter({ sell, limiter, log })
  const executors = skillExecutors({ registry, quote, counter })
  return { registry, counter, executors, holdVerdict, tasks, quote, log, baseUrl }
}

function mcpEndpoint(
  { baseUrl, loopback }: AppOptions,
  deps: SurfaceDeps,
  { context }: Published,
): McpEndpoint {
  return mcpHandler({
    ...deps,
    version: VERSION,
    texts: { priceList: JSON.stringify(context.listing), docs: llmsFull(context).body.toString() },
    allowedHosts: [new URL(baseUrl).hostname, ...(loopback ? LOOPBACK_NAMES : [])],
    loopback,
  })
}

const mcpRoute =
  ({ handle }: McpEndpoint): Middleware =>
  (req, res, next) => {
    if (pathOf(req) === PATHS.mcp) handle(req, res)
    else next()
  }

interface RouteParts {
  readonly deps: SurfaceDeps
  readonly published: Published
  readonly site: ReturnType<typeof publishedRoutes>
  readonly status: () => Promise<Status>
  readonly sendProblem: SendProblem
}

function routes(
  { extraRoutes = [] }: AppOptions,
  { registry, payments, instruments: { ledger }, ready }: PublicServerParts,
  { deps, published: { listing, card }, site, status, sendProblem }: RouteParts,
): readonly Middleware[] {
  const findPayment = async (payer: string, nonce: string) => {
    const found = [...payments.context.networks.values()].map(({ terms: { network, asset } }) =>
      ledger.find({ network: network.id, asset, payer, nonce }),
    )
    return (await Promise.all(found)).find((row) => row !== null) ?? null
  }
  const { channels } = payments
  const addRoutes = (parts: RestParts) =>
    channels && addChannelHandlers({ ...deps, refund: channels.refund, sendProblem }, parts)
  return [
    restRoutes({ ...deps, addRoutes, skills: registry, listing, sendProblem }),
    site.documents,
    cardRoutes(card, sendProblem),
    paymentStateRoutes({ ...deps, findPayment, sendProblem }),
    a2aRoutes(deps),
    site.pages,
    liveRoutes({ sendProblem, ready, status }),
    ...extraRoutes,
    countForwarded(payments.context.keys),
    site.notFound,
  ]
}
