import http, { Agent, createServer, type Server } from 'node:http'
import https from 'node:https'
import { duplexPair } from 'node:stream'

type Answer = (url: URL, init: { method: string; headers: Record<string, string>; body: string }) => unknown

const real = { http: http.globalAgent, https: https.globalAgent }

/**
 * Answers every request that leaves, whatever its host, without a network: what `answer` rejects with is a lost connection.
 * {@link unstubFetch} ends it.
 */
export function stubFetch(answer: Answer): void {
  const serverFor = (scheme: 'http' | 'https'): Server =>
    createServer(async (req, res) => {
      try {
        const chunks: Buffer[] = []
        for await (const chunk of req as AsyncIterable<Buffer>) chunks.push(chunk)
        const { method = 'GET', url = '/' } = req
        const { host, connection, 'content-length': _, ...headers } = req.headers as Record<string, string>
        const body = Buffer.concat(chunks).toString()
        const init = { method, headers, ...(body === '' ? {} : { body }) } as Parameters<Answer>[1]
        const reply = (await answer(new URL(url, `${scheme}://${host}`), init)) as Response
        const content = Buffer.from(await reply.arrayBuffer())
        // A stand-in may repeat the headers of another body.
        const framing = ['content-length', 'content-encoding', 'transfer-encoding', 'connection']
        const kept = [...reply.headers].filter(([name]) => !framing.includes(name))
        res.writeHead(reply.status, Object.fromEntries(kept)).end(content)
      } catch {
        req.socket.destroy()
      }
    })
  const agentFor = (scheme: 'http' | 'https'): Agent => {
    const server = serverFor(scheme)
    const agent = new Agent() as Agent & { protocol: string; defaultPort: number }
    agent.protocol = `${scheme}:`
    agent.defaultPort = scheme === 'https' ? 443 : 80
    agent.createConnection = () => {
      const [client, other] = duplexPair()
      server.emit('connection', other)
      return client
    }
    return agent
  }
  http.globalAgent = agentFor('http')
  https.globalAgent = agentFor('https') as https.Agent
}

export function unstubFetch(): void {
  http.globalAgent = real.http
  https.globalAgent = real.https
}
