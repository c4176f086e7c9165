import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import supertest from 'supertest'
import { buildHttpApp } from '../../../src/app/public/http-app.ts'
import { problemSender } from '../../../src/http/body/problem.ts'
import { unpaidLimiter } from '../../../src/http/limits/unpaid-limiter.ts'
import type { Refund } from '../../../src/payments/channels/refunds/refund-channel.ts'
import type { Purchase } from '../../../src/payments/ports/sale.ts'
import { createCounter } from '../../../src/surfaces/call/counter.ts'
import type { ListingOptions } from '../../../src/surfaces/rest/listing.ts'
import { restRoutes } from '../../../src/surfaces/rest/routes.ts'
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
  const logged: unknown[] = []
  const log = {
    info: (...line: unknown[]) => void logged.push(line),
    warn: (...line: unknown[]) => void logged.push(line),
    error: (...line: unknown[]) => void logged.push(line),
  }
  const skills = realRegistry()
  const sendProblem = problemSender(LISTING.baseUrl)
  const limiter = unpaidLimiter({ perMinute: unpaidPerMinute, trustedProxies: 0 })

  const listing = { ...LISTING, mark: sandbox ? 'SANDBOX' : null }
  const app = buildHttpApp({
    baseUrl: LISTING.baseUrl,
    sandbox,
    log,
    sendProblem,
    surfaces: [
      restRoutes({
        skills,
        listing,
        counter: createCounter({ sell: script.sell, limiter, log }),
        quote: {
          single: (skill) => quoteFor(skill),
          of: async ({ type, items }: Purchase) => quoteFor(skills.get(type) ?? skills.all[0]!, items),
        },
        sendProblem,
        log,
        ...(refund && { refund }),
      }),
    ],
  })

  const server = createServer({ maxHeaderSize: 32_768 }, app)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`

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
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export type RestService = Awaited<ReturnType<typeof startRestService>>

/** A payment that the scripted sale takes. */
export const PAID = { 'PAYMENT-SIGNATURE': 'cHJvb2Y=' }
