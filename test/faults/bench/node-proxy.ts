import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'

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

/** A proxy in front of a node that misbehaves by a rule. */
export async function startNodeProxy(node: string): Promise<NodeProxy> {
  let rule = PASS
  const server = createServer((incoming, response) => {
    void json(incoming)
      .then(async (body) => {
        const treated = await rule(body as RpcRequest)
        if (treated === 'drop') return void response.destroy()
        if (treated === 'limit') return void response.writeHead(429).end('slow down')
        response.setHeader('content-type', 'application/json')
        if ('result' in treated) {
          const { id } = body as RpcRequest
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
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    treat: (next) => {
      rule = next
    },
    stop: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
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
