import { createServer } from 'node:http'
import supertest from 'supertest'
import { buildHttpApp } from '../../../src/app/public/http-app.ts'
import { problemSender } from '../../../src/http/body/problem.ts'
import { unpaidLimiter } from '../../../src/http/limits/unpaid-limiter.ts'
import { requireOneHost } from '../../../src/http/one-host.ts'
import type { Refund } from '../../../src/payments/channels/refunds/refund-channel.ts'
import type { QuoteBook } from '../../../src/payments/terms/quotes.ts'
import { createCounter } from '../../../src/surfaces/call/counter.ts'
import { skillExecutors } from '../../../src/surfaces/call/skill-executor.ts'
import { addChannelHandlers } from '../../../src/surfaces/rest/channel.ts'
import type { ListingOptions } from '../../../src/surfaces/rest/listing.ts'
import { restRoutes } from '../../../src/surfaces/rest/routes.ts'
import { listenOnLoopback } from '../../support/loopback.ts'
import { recordedLog } from '../../support/recorded-log.ts'
import { realRegistry } from '../../support/registry.ts'
import { quoteFor, scriptedSale } from './scripted-sale.ts'

export const LISTING: ListingOptions = {
  baseUrl: 'https://checks.example',
  network: 'eip155:8453',
  networkName: 'Base',
  asset: `0x${'33'.repeat(20)}`,
  payTo: `0x${'44'.repeat(20)}`,
  facilitator: 'https://facilitator.example',
  mark: null,
}

export interface RestServiceOptions {
  readonly unpaidPerMinute?: number
  readonly sandbox?: boolean
  /** Refunds of channels; without it the service has none. */
  readonly refund?: Refund
}

/** The REST surface on a real socket, with a scripted sale behind it. */
export async function startRestService(options: RestServiceOptions = {}) {
  const { unpaidPerMinute = 0, sandbox = false, refund } = options
  const script = scriptedSale()
  const { logged, log } = recordedLog()
  const skills = realRegistry()
  const sendProblem = problemSender(LISTING.baseUrl)
  const limiter = unpaidLimiter({ perMinute: unpaidPerMinute, trustedProxies: 0 })

  const listing = { ...LISTING, mark: sandbox ? 'SANDBOX' : null }
  const counter = createCounter({ sell: script.sell, limiter, log })
  const quote: QuoteBook = {
    single: (skill) => quoteFor(skill),
    of: async ({ type, items }) => quoteFor(skills.get(type) ?? skills.all[0]!, items),
  }
  const executors = skillExecutors({ registry: skills, quote, counter })
  const app = buildHttpApp({
    baseUrl: LISTING.baseUrl,
    sandbox,
    log,
    sendProblem,
    surfaces: [
      restRoutes({
        skills,
        listing,
        counter,
        executors,
        sendProblem,
        log,
        ...(refund && {
          addRoutes: (parts) => addChannelHandlers({ refund, counter, executors, sendProblem, log }, parts),
        }),
      }),
    ],
  })

  const server = createServer(
    { maxHeaderSize: 32_768 },
    requireOneHost(app, () => false),
  )
  const { port, url, stop } = await listenOnLoopback(server)

  return {
    url,
    port,
    skills,
    script,
    logged,
    /** Sends a check as a plain client would; a body that is text goes out as it is. */
    check: (type: string, body: unknown, headers: Record<string, string> = {}) =>
      supertest(url)
        .post(`/api/validate/${type}`)
        .set({ 'Content-Type': 'application/json', ...headers })
        .send(typeof body === 'string' ? body : JSON.stringify(body)),
    async close() {
      limiter.close()
      await stop()
    },
  }
}

export type RestService = Awaited<ReturnType<typeof startRestService>>

/** A payment that the scripted sale takes. */
export const PAID = { 'PAYMENT-SIGNATURE': 'cHJvb2Y=' }
