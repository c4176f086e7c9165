import { createServer } from 'node:http'
import { json } from 'node:stream/consumers'
import { listenOnLoopback } from '../../support/loopback.ts'

export interface RpcRequest {
  readonly id: number
  readonly method: string
  readonly params: readonly unknown[]
}

/** What becomes of a request to the node: it is passed on, perhaps changed, or answered in some other way. */
export type Treatment =
  | RpcRequest
  /** The connection is torn down. */
  | 'drop'
  /** HTTP 429. */
  | 'limit'
  | { readonly result: unknown }

export type NodeRule = (request: RpcRequest) => Treatment | Promise<Treatment>

export interface NodeProxy {
  readonly url: string
  treat(rule: NodeRule): void
  stop(): Promise<void>
}

export const PASS: NodeRule = (request) => request

/** As with most nodes, a broadcast is not answered with the receipt: `eth_sendRawTransactionSync` is unknown. */
const SYNC_BROADCAST = 'eth_sendRawTransactionSync'
const NO_METHOD = { code: -32601, message: 'method not found' }

/** A proxy in front of a node that misbehaves by a rule. */
export async function startNodeProxy(node: string): Promise<NodeProxy> {
  let rule = PASS
  const server = createServer((incoming, response) => {
    void json(incoming)
      .then(async (body) => {
        const { id, method } = body as RpcRequest
        if (method === SYNC_BROADCAST)
          return void response.end(JSON.stringify({ jsonrpc: '2.0', id, error: NO_METHOD }))
        const treated = await rule(body as RpcRequest)
        if (treated === 'drop') return void response.destroy()
        if (treated === 'limit') return void response.writeHead(429).end('slow down')
        response.setHeader('content-type', 'application/json')
        if ('result' in treated) {
          return void response.end(JSON.stringify({ jsonrpc: '2.0', id, result: treated.result }))
        }
        const answer = await fetch(node, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify(treated),
        })
        response.end(await answer.text())
      })
      .catch(() => response.destroy())
  })
  const listening = await listenOnLoopback(server)
  return {
    ...listening,
    treat: (next) => {
      rule = next
    },
  }
}

/** A node that has seen nothing after this block. */
export function frozenAt(block: string): NodeRule {
  return (request) => {
    const { method, params } = request
    if (method === 'eth_getTransactionReceipt') return { result: null }
    if (method === 'eth_blockNumber') return { result: block }
    const past = params.map((param) =>
      param === 'latest'
        ? block
        : isFilter(param)
          ? { ...param, toBlock: earlier(param.toBlock, block) }
          : param,
    )
    return { ...request, params: past }
  }
}

const isFilter = (param: unknown): param is { readonly toBlock: string } =>
  typeof param === 'object' && param !== null && 'toBlock' in param

const earlier = (asked: string, block: string) =>
  asked === 'latest' || BigInt(asked) > BigInt(block) ? block : asked
