import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { decodePaymentResponseHeader } from '@x402/core/http'
import type { PaymentPayload, SettleResponse } from '@x402/core/types'
import { listenOnLoopback } from '../../support/loopback.ts'

/** What is done at the next paying request: before the service has it, or once it is answered. Its sender hears nothing. */
export interface Interruption {
  readonly before?: () => Promise<void>
  readonly after?: () => Promise<void>
}

export interface Front {
  readonly url: string
  interrupt(by: Interruption): void
  stop(): Promise<void>
}

/** Passes requests on to a service; sees each payment, and the settlement of an answer with status 200. */
export async function startFront(
  target: string,
  see: (payment: PaymentPayload, body: string, settlement: SettleResponse | null) => void,
): Promise<Front> {
  let interruption: Interruption = {}
  const server = createServer((request, response) => {
    void relay(request, response).catch(() => response.destroy())
  })
  async function relay(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request)
    const payment = request.headers['payment-signature']
    const { before, after } = payment === undefined ? {} : interruption
    if (payment !== undefined) interruption = {}
    await before?.()
    if (before !== undefined) return void response.destroy()
    const answer = await fetch(target + (request.url ?? ''), {
      method: request.method ?? 'GET',
      headers: {
        ...(payment === undefined ? {} : { 'payment-signature': String(payment) }),
        ...(body.length > 0 ? { 'content-type': 'application/json' } : {}),
      },
      ...(body.length > 0 ? { body: new Uint8Array(body) } : {}),
    })
    const text = await answer.text()
    if (payment !== undefined) {
      const receipt = answer.status === 200 ? answer.headers.get('payment-response') : null
      const settlement = receipt === null ? null : decodePaymentResponseHeader(receipt)
      see(JSON.parse(Buffer.from(String(payment), 'base64').toString()), body.toString(), settlement)
    }
    await after?.()
    if (after !== undefined) return void response.destroy()
    for (const [name, value] of answer.headers)
      if (/^(?:content-type|payment-|retry-after)/.test(name)) response.setHeader(name, value)
    response.writeHead(answer.status).end(text)
  }
  const listening = await listenOnLoopback(server)
  return {
    ...listening,
    interrupt: (by) => {
      interruption = by
    },
  }
}
