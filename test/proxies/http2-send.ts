import { connect } from 'node:http2'
import type { Send } from '../support/buy-over.ts'

/** Sends a request over HTTP/2 and TLS, on a connection of its own; accepts a self-signed certificate. */
export const http2Send: Send = (url, { method, headers, body }) =>
  new Promise((resolve, reject) => {
    const { origin, pathname } = new URL(url)
    const session = connect(origin, { rejectUnauthorized: false })
    session.once('error', reject)
    const stream = session.request({ ':method': method, ':path': pathname, ...headers })
    stream.once('error', reject)
    stream.once('response', (answer) => {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.once('end', () => {
        session.close()
        const entries = Object.entries(answer).filter(([name]) => !name.startsWith(':'))
        resolve(
          new Response(Buffer.concat(chunks), {
            status: Number(answer[':status']),
            headers: entries.map(([name, value]): [string, string] => [name, String(value)]),
          }),
        )
      })
    })
    stream.end(body)
  })
