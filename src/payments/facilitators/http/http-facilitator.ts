import { Agent as HttpAgent } from 'node:http'
import { Agent as HttpsAgent } from 'node:https'
import type { FacilitatorClient } from '@x402/core/server'
import type {
  PaymentPayload,
  PaymentRequirements,
  SettleResponse,
  SupportedResponse,
  VerifyResponse,
} from '@x402/core/types'
import { FacilitatorFault, type Symptom } from '../facilitator-fault.ts'
import { settleDeadlines } from '../settle-deadlines.ts'
import { type JsonReply, requestJson } from './request-json.ts'

export type FacilitatorPath = 'verify' | 'settle' | 'supported'

/** Some facilitators require a signature over the path. */
export type Credentials = (path: FacilitatorPath) => Promise<Readonly<Record<string, string>>>

export interface HttpFacilitatorOptions {
  /** Base URL; "/verify", "/settle" and "/supported" are appended. */
  readonly url: string
  readonly credentials?: Credentials
  /** Milliseconds over all attempts of one settlement. */
  readonly settleDeadlineMs?: number
  readonly verifyDeadlineMs?: number
}

const IDLE_SOCKET_MS = 4_000
/** Concurrent requests to one facilitator; further ones wait, within their deadline. */
export const FACILITATOR_CONNECTIONS = 256

/** Some facilitators list hundreds of kinds, each with its tokens. */
const LARGEST_LIST_BYTES = 1024 * 1024

export function createHttpFacilitator(
  options: HttpFacilitatorOptions,
): FacilitatorClient & { close(): void } {
  const { credentials, settleDeadlineMs = 20_000, verifyDeadlineMs = 5_000 } = options
  const base = options.url.endsWith('/') ? options.url : `${options.url}/`
  const settings = { keepAlive: true, timeout: IDLE_SOCKET_MS, maxSockets: FACILITATOR_CONNECTIONS }
  const agent = base.startsWith('https:') ? new HttpsAgent(settings) : new HttpAgent(settings)
  const deadlineOf = settleDeadlines(settleDeadlineMs)

  const authenticate = async (path: FacilitatorPath, make: Credentials) => {
    try {
      return await make(path)
    } catch (error) {
      throw new FacilitatorFault('not_sent', 'the credentials could not be made', {
        cause: error,
        symptom: { code: 'no_credentials' },
      })
    }
  }
  const call = async (path: FacilitatorPath, deadline: number, content?: unknown): Promise<JsonReply> => {
    const headers: Record<string, string> = {
      accept: 'application/json',
      ...(credentials && (await authenticate(path, credentials))),
    }
    const request = { url: new URL(path, base), headers, agent, deadline }
    if (content === undefined)
      return requestJson({ ...request, method: 'GET', largestReplyBytes: LARGEST_LIST_BYTES })
    const body = JSON.stringify(content)
    headers['content-type'] = 'application/json'
    headers['content-length'] = String(Buffer.byteLength(body))
    return requestJson({ ...request, method: 'POST', body })
  }
  const content = (paymentPayload: PaymentPayload, paymentRequirements: PaymentRequirements) => ({
    x402Version: paymentPayload.x402Version,
    paymentPayload,
    paymentRequirements,
  })

  return {
    async verify(payload, requirements): Promise<VerifyResponse> {
      const reply = await call('verify', performance.now() + verifyDeadlineMs, content(payload, requirements))
      if (hasBoolean(reply.body, 'isValid')) return reply.body as unknown as VerifyResponse
      throw new FacilitatorFault('not_sent', 'verify was answered otherwise', { symptom: statusOf(reply) })
    },
    async settle(payload, requirements): Promise<SettleResponse> {
      const reply = await call(
        'settle',
        deadlineOf(payload, performance.now()),
        content(payload, requirements),
      )
      if (hasBoolean(reply.body, 'success') && mayBeBelieved(reply))
        return reply.body as unknown as SettleResponse
      const effect = hasBoolean(reply.body, 'success') ? 'unknown' : effectOf(reply.status)
      throw new FacilitatorFault(effect, 'settle was answered otherwise', {
        answered: true,
        symptom: statusOf(reply),
      })
    },
    async getSupported(): Promise<SupportedResponse> {
      const reply = await call('supported', performance.now() + verifyDeadlineMs)
      if (reply.status === 200 && Array.isArray((reply.body as { kinds?: unknown } | null)?.kinds)) {
        return reply.body as SupportedResponse
      }
      throw new FacilitatorFault('not_sent', 'supported was answered otherwise', { symptom: statusOf(reply) })
    },
    close: () => agent.destroy(),
  }
}

/** With these statuses, and no settlement body, a facilitator says that it did nothing. */
const effectOf = (status: number) => ([401, 403, 404, 429].includes(status) ? 'not_sent' : 'unknown')

/** A refusal may come with the status of a request that was refused, a success with that of a success alone. */
const mayBeBelieved = ({ status, body }: JsonReply): boolean =>
  (status >= 200 && status < 300) || (status < 500 && (body as { success?: unknown }).success === false)

const statusOf = ({ status }: JsonReply): Symptom => ({ status })

const hasBoolean = (body: unknown, member: string): body is Record<string, unknown> =>
  typeof body === 'object' && body !== null && typeof (body as Record<string, unknown>)[member] === 'boolean'
