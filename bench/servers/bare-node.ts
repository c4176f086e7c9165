/** The limit: `node:http` writing one prepared answer, whatever it is asked. */
import { readFileSync } from 'node:fs'
import type { OutgoingHttpHeaders } from 'node:http'
import { serve } from './tell-port.ts'

interface Prepared {
  readonly status: number
  readonly headers: OutgoingHttpHeaders
  /** Base64. */
  readonly body: string
}

const { status, headers, body } = JSON.parse(readFileSync(process.env.ANSWER ?? '', 'utf8')) as Prepared
const bytes = Buffer.from(body, 'base64')

serve((req, res) => {
  // A body must be read before the connection can carry the next request.
  req.resume()
  req.once('end', () => res.writeHead(status, headers).end(bytes))
})
