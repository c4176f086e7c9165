import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

/** One request as it came in. */
export interface Seen {
  readonly method: string
  readonly path: string
  readonly body: string
}

/** What to do with a request; a promise holds it back until then. */
export type Treatment = 'pass' | 'drop' | 'lose-answer' | { readonly status: number; readonly body: unknown }

export interface HttpProxy {
  readonly url: string
  /** All requests so far, oldest first. */
  readonly seen: Seen[]
  /** How requests are treated from now on. */
  treat(rule: (request: Seen) => Treatment | Promise<Treatment>): void
  /** Nothing listens any more, as if the machine behind it were down. */
  stop(): Promise<void>
}

/** Stands before a service, writes down what comes in, and misbehaves as told; on a free port where none is given. */
export async function startHttpProxy(target: string, port = 0): Promise<HttpProxy> {
  const seen: Seen[] = []
  let rule: (request: Seen) => Treatment | Promise<Treatment> = () => 'pass'
  const server = createServer((incoming, response) => {
    void relay(incoming, response).catch(() => response.destroy())
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')

  async function relay(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const request = { method: incoming.method ?? '', path: incoming.url ?? '', body: await text(incoming) }
    seen.push(request)
    const how = await rule(request)
    if (how === 'drop') return void response.destroy()
    if (typeof how === 'object') return reply(response, how.status, JSON.stringify(how.body))
    const answer = await fetch(new URL(request.path, target), {
      method: request.method,
      headers: { 'content-type': 'application/json' },
      ...(request.method === 'GET' ? {} : { body: request.body }),
    })
    const body = await answer.text()
    if (how === 'lose-answer') response.destroy()
    else reply(response, answer.status, body)
  }

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    treat: (next) => {
      rule = next
    },
    async stop() {
      if (!server.listening) return
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
    },
  }
}

function reply(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(body)
}
