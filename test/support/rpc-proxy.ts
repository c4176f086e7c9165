import { createServer, type ServerResponse } from 'node:http'
import { json } from 'node:stream/consumers'
import { listenOnLoopback } from './loopback.ts'

export interface RpcRequest {
  readonly id: number
  readonly method: string
  readonly params: readonly unknown[]
}

/** What to do with one request: pass it on, or answer it in some other way. */
export type Treatment =
  | 'pass'
  /** HTTP 429 with no useful body. */
  | 'limit'
  /** The connection is torn down without an answer. */
  | 'drop'
  /** Handed to the node, whose answer is then lost. */
  | 'lose-answer'
  /** Handed to the node, whose answer comes in two parts. */
  | 'in-parts'
  /** Handed to the node, whose answer ends in the middle. */
  | 'half'
  /** Never answered. */
  | 'hang'
  | { readonly result: unknown }
  /** The node's result, changed on the way. */
  | { readonly rewrite: (result: unknown) => unknown }
  | { readonly error: { readonly code: number; readonly message: string } }

export interface RpcProxy {
  readonly url: string
  /** Methods of all requests so far, oldest first. */
  readonly seen: RpcRequest[]
  /** How many requests have no answer yet. */
  readonly underWay: () => number
  /** Whether the node answers a broadcast with the receipt; false until it is set, as with most nodes. */
  hasSyncBroadcast: boolean
  /** How requests are treated from now on. */
  treat(rule: (request: RpcRequest) => Treatment): void
  stop(): Promise<void>
}

const SYNC_BROADCAST = 'eth_sendRawTransactionSync'
const NO_METHOD = { error: { code: -32601, message: 'method not found' } }

/** Stands between a client and a node and misbehaves as told. */
export async function startRpcProxy(node: string): Promise<RpcProxy> {
  const seen: RpcRequest[] = []
  let underWay = 0
  let rule: (request: RpcRequest) => Treatment = () => 'pass'
  const server = createServer((incoming, response) => {
    underWay += 1
    response.once('close', () => {
      underWay -= 1
    })
    const answer = async () => {
      const request = (await json(incoming)) as RpcRequest
      const isUnknown = request.method === SYNC_BROADCAST && !proxy.hasSyncBroadcast
      if (!isUnknown) seen.push(request)
      await serve(node, request, isUnknown ? NO_METHOD : rule(request), response)
    }
    // The node may end before what looks for receipts does.
    void answer().catch(() => response.destroy())
  })
  const listening = await listenOnLoopback(server)
  const proxy: RpcProxy = {
    ...listening,
    seen,
    underWay: () => underWay,
    hasSyncBroadcast: false,
    treat: (next) => {
      rule = next
    },
  }
  return proxy
}

async function serve(
  node: string,
  request: RpcRequest,
  how: Treatment,
  response: ServerResponse,
): Promise<void> {
  if (how === 'hang') return
  if (how === 'drop') return void response.destroy()
  if (how === 'limit') return void response.writeHead(429).end('slow down')
  if (typeof how === 'object' && !('rewrite' in how))
    return reply(response, JSON.stringify({ jsonrpc: '2.0', id: request.id, ...how }))
  const answer = await fetch(node, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(request),
  })
  const text = await answer.text()
  if (how === 'lose-answer') return void response.destroy()
  if (how === 'in-parts' || how === 'half') {
    const middle = Math.ceil(text.length / 2)
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': text.length })
    response.write(text.slice(0, middle), () =>
      how === 'half' ? response.destroy() : setImmediate(() => response.end(text.slice(middle))),
    )
    return
  }
  if (typeof how !== 'object') return reply(response, text)
  const answered = JSON.parse(text) as { result?: unknown }
  reply(response, JSON.stringify({ ...answered, result: how.rewrite(answered.result) }))
}

function reply(response: ServerResponse, text: string): void {
  response.writeHead(200, { 'content-type': 'application/json' }).end(text)
}
