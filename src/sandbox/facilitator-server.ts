import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import type { FacilitatorClient } from '@x402/core/server'
import type { PaymentPayload, PaymentRequirements } from '@x402/core/types'
import { ChainUnavailable } from '../payments/chain/chain-reader.ts'
import { FacilitatorFault } from '../payments/facilitators/facilitator-fault.ts'
import { isObject } from '../values/json.ts'

export interface LocalServer {
  readonly url: string
  /** Stops listening; resolves when requests in progress have been answered. */
  stop(): Promise<void>
}

interface Answer {
  readonly status: number
  readonly body: unknown
}

interface FacilitatorRequest {
  readonly paymentPayload: PaymentPayload
  readonly paymentRequirements: PaymentRequirements
}

const answer = (status: number, body: unknown): Answer => ({ status, body })

/**
 * Serves a facilitator over the x402 facilitator HTTP API on a free loopback port. An invalid payment is an answer with
 * status 200.
 */
export async function startFacilitatorServer(facilitator: FacilitatorClient): Promise<LocalServer> {
  const server = createServer((request, response) => {
    void route(facilitator, request).then((reply) => send(response, reply))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      const closed = once(server, 'close')
      server.close()
      server.closeIdleConnections()
      await closed
    },
  }
}

async function route(facilitator: FacilitatorClient, request: IncomingMessage): Promise<Answer> {
  const target = `${request.method} ${request.url?.split('?')[0]}`
  try {
    if (target === 'GET /supported') return answer(200, await facilitator.getSupported())
    if (target !== 'POST /verify' && target !== 'POST /settle') return answer(404, { error: 'not_found' })
    const body = await readRequest(request)
    if (body === undefined) return answer(400, { error: 'invalid_request' })
    const act = target === 'POST /verify' ? facilitator.verify : facilitator.settle
    return answer(200, await act(body.paymentPayload, body.paymentRequirements))
  } catch (error) {
    if (error instanceof ChainUnavailable) return answer(503, { error: 'chain_unavailable' })
    if (error instanceof FacilitatorFault) return answer(503, { error: 'not_sent' })
    return answer(500, { error: 'internal_error' })
  }
}

async function readRequest(request: IncomingMessage): Promise<FacilitatorRequest | undefined> {
  const body: unknown = await json(request).catch(() => undefined)
  return isObject(body) && isObject(body.paymentPayload) && isObject(body.paymentRequirements)
    ? (body as unknown as FacilitatorRequest)
    : undefined
}

function send(response: ServerResponse, { status, body }: Answer): void {
  response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' }).end(JSON.stringify(body))
}
