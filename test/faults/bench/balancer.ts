import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

export interface Balancer {
  readonly url: string
  /** Who is served by it; may change at any time. */
  readonly upstreams: string[]
  stop(): Promise<void>
}

/**
 * A plain round robin: the next one gets the request; one that refuses the connection is passed over, and an answer
 * that breaks off is a 502.
 */
export async function startBalancer(port = 0): Promise<Balancer> {
  const upstreams: string[] = []
  let turn = 0
  const serve = (incoming: IncomingMessage, body: Buffer, response: ServerResponse, tries: number) => {
    const upstream = upstreams[turn++ % upstreams.length]
    if (upstream === undefined || tries === 0) return void response.writeHead(502).end()
    const { method, headers, url = '/' } = incoming
    const onward = request(upstream + url, { method, headers, agent: false }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.on('error', () => response.destroy())
      answer.pipe(response)
    })
    // A client that leaves is not waited for.
    response.on('close', () => response.writableFinished || onward.destroy())
    onward.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNREFUSED') return serve(incoming, body, response, tries - 1)
      if (response.headersSent) response.destroy()
      else response.writeHead(502).end()
    })
    onward.end(body)
  }
  const server = createServer((incoming, response) => {
    response.on('error', () => {})
    void buffer(incoming).then(
      (body) => serve(incoming, body, response, upstreams.length),
      () => {},
    )
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    upstreams,
    stop: async () => {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
