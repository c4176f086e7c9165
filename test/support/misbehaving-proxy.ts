import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import { listenOnLoopback } from './loopback.ts'

/** A request that brought a payment, as it came in. */
export interface PayingRequest {
  readonly payment: string
  readonly body: string
}

/** What becomes of a paying request: passed on, passed on with its answer lost, lost itself, or answered instead. */
export type Fate =
  | 'pass'
  | 'lose-answer'
  | 'lose-request'
  | { readonly status: number; readonly headers?: Record<string, string>; readonly body: unknown }

export interface MisbehavingProxy {
  readonly url: string
  /** Paying requests so far, oldest first. */
  readonly paying: PayingRequest[]
  /** Fates of the next paying requests, in order; later ones pass. */
  next(...fates: Fate[]): void
  stop(): Promise<void>
}

/** Headers a service reads of its buyers' requests. */
const PASSED_ON = [
  'content-type',
  'accept',
  'payment-signature',
  'a2a-version',
  'a2a-extensions',
  'mcp-protocol-version',
]

/** Stands before a service under an address of its own, which it also puts into the agent card. */
export async function startMisbehavingProxy(target: string): Promise<MisbehavingProxy> {
  const paying: PayingRequest[] = []
  let fates: Fate[] = []
  const server = createServer((incoming, response) => {
    void relay(incoming, response).catch(() => response.destroy())
  })
  const { url, stop } = await listenOnLoopback(server)

  async function relay(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(incoming)
    const payment = String(incoming.headers['payment-signature'] ?? signatureIn(body))
    let fate: Fate = 'pass'
    if (payment !== '') {
      paying.push({ payment, body })
      fate = fates.shift() ?? 'pass'
    }
    if (fate === 'lose-request') return void response.destroy()
    if (typeof fate === 'object') {
      response.writeHead(fate.status, { 'content-type': 'application/json', ...fate.headers })
      return void response.end(JSON.stringify(fate.body))
    }
    const answer = await fetch(new URL(incoming.url ?? '/', target), {
      method: incoming.method ?? 'GET',
      headers: PASSED_ON.flatMap((name) => {
        const value = incoming.headers[name]
        return typeof value === 'string' ? [[name, value] as [string, string]] : []
      }),
      ...(body === '' ? {} : { body }),
    })
    const answered = (await answer.text()).replaceAll(target, url)
    if (fate === 'lose-answer') return void response.destroy()
    const headers = Object.fromEntries(answer.headers)
    for (const name of [
      'content-length',
      'connection',
      'keep-alive',
      'transfer-encoding',
      'content-encoding',
    ]) {
      delete headers[name]
    }
    response.writeHead(answer.status, headers).end(answered)
  }

  return {
    url,
    paying,
    next: (...given) => {
      fates = given
    },
    stop,
  }
}

/** The signature of an authorization in a body, wherever the protocol puts it. */
const signatureIn = (body: string): string => /"signature":"(0x[0-9a-f]+)"/.exec(body)?.[1] ?? ''
