/** A local chain behind a counter of the requests that it gets. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

export interface CountingNode {
  readonly url: string
  /** Requests so far. */
  count(): { readonly seen: number; readonly byMethod: ReadonlyMap<string, number> }
  stop(): Promise<void>
}

export async function startCountingNode(rpcUrl: string): Promise<CountingNode> {
  const byMethod = new Map<string, number>()
  const server = createServer(async (request, response) => {
    const body = await buffer(request)
    const { method } = JSON.parse(body.toString()) as { method: string }
    byMethod.set(method, (byMethod.get(method) ?? 0) + 1)
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(rpcUrl, { method: 'POST', headers, body })
    response.writeHead(answer.status, headers).end(await answer.text())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    count: () => ({
      seen: [...byMethod.values()].reduce((sum, one) => sum + one, 0),
      byMethod: new Map(byMethod),
    }),
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
