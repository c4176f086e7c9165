/** The A2A surface on a real socket, with the payment layer in memory behind it. */

import { generateKeyPairSync } from 'node:crypto'
import { createServer } from 'node:http'
import { buildHttpApp } from '../../../src/app/public/http-app.ts'
import { problemSender } from '../../../src/http/body/problem.ts'
import { unpaidLimiter } from '../../../src/http/limits/unpaid-limiter.ts'
import { StoreUnavailable } from '../../../src/ledger/store/store-unavailable.ts'
import { buildAgentCard, readCardIdentity } from '../../../src/surfaces/a2a/card/agent-card.ts'
import { readCardKey } from '../../../src/surfaces/a2a/card/card-key.ts'
import { cardRoutes } from '../../../src/surfaces/a2a/card/card-routes.ts'
import { a2aRoutes } from '../../../src/surfaces/a2a/endpoint.ts'
import { createCounter } from '../../../src/surfaces/call/counter.ts'
import { skillExecutors } from '../../../src/surfaces/call/skill-executor.ts'
import { type A2aDouble, a2aDouble } from '../../support/a2a-double.ts'
import { listenOnLoopback } from '../../support/loopback.ts'
import { recordedLog } from '../../support/recorded-log.ts'
import { realRegistry } from '../../support/registry.ts'
import type { Json } from './a2a-client.ts'

export interface A2aServiceOptions {
  readonly unpaidPerMinute?: number
  readonly newTaskId?: () => string
  /** Unpaid tasks that the double keeps at once. */
  readonly capacity?: number
  /** Proxies in front of the service, so that a test can choose its client address. */
  readonly trustedProxies?: number
  /** A payment layer in place of the double. */
  readonly sales?: PaymentLayer
}

/** What the surface needs of the payment layer. */
export type PaymentLayer = Pick<A2aDouble, 'quote' | 'sell' | 'holdVerdict' | 'tasks'>

/** A P-256 key in PEM, as an operator would configure it. */
export function cardKeyPem(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
}

export async function startA2aService(options: A2aServiceOptions = {}) {
  const { unpaidPerMinute = 0, trustedProxies = 0, newTaskId, capacity } = options
  const double = a2aDouble({
    storeUnavailable: () => new StoreUnavailable('down'),
    ...(newTaskId === undefined ? {} : { newTaskId }),
    ...(capacity === undefined ? {} : { capacity }),
  })
  const { logged, log } = recordedLog()
  const server = createServer({ maxHeaderSize: 32_768 })
  const { port, url, stop } = await listenOnLoopback(server)

  const skills = realRegistry()
  const sendProblem = problemSender(url)
  const limiter = unpaidLimiter({ perMinute: unpaidPerMinute, trustedProxies })
  const key = readCardKey(cardKeyPem())
  const card = await buildAgentCard({
    identity: readCardIdentity(),
    registry: skills,
    baseUrl: url,
    version: '1.2.0',
    ...{ offersAllSchemes: false, mark: null, networkName: 'Base' },
    key,
  })
  const { sell, holdVerdict, tasks, quote } = options.sales ?? double
  const counter = createCounter({ sell, limiter, log })
  const app = buildHttpApp({
    baseUrl: url,
    sandbox: false,
    log,
    sendProblem,
    surfaces: [
      cardRoutes(card, sendProblem),
      a2aRoutes({
        registry: skills,
        counter,
        executors: skillExecutors({ registry: skills, quote, counter }),
        holdVerdict,
        tasks,
        quote,
        log,
      }),
    ],
  })
  server.on('request', app)

  return {
    url,
    port,
    double,
    logged,
    key,
    card,
    registry: skills,
    /** Posts a body as it stands. */
    async post(body: unknown, headers: Record<string, string> = {}, query = ''): Promise<Reply> {
      const response = await fetch(`${url}/a2a${query}`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', ...headers },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      })
      const text = await response.text()
      return { status: response.status, headers: response.headers, text, json: JSON.parse(text) as Json }
    },
    async close() {
      limiter.close()
      await stop()
    },
  }
}

export interface Reply {
  readonly status: number
  readonly headers: Headers
  readonly text: string
  readonly json: Json
}

export type A2aService = Awaited<ReturnType<typeof startA2aService>>
