import type { IncomingMessage, ServerResponse } from 'node:http'
import { isLoopback } from '../../config/loopback.ts'

/** Returns true if the Host header names this machine, which stops DNS rebinding. */
export const namesThisMachine = ({ headers }: IncomingMessage): boolean =>
  isLoopback(URL.parse(`http://${headers.host ?? ''}`)?.hostname ?? '')

/** Ends the response with JSON that pages of other origins cannot read and caches do not keep. */
export function sendToThisMachine(res: ServerResponse, json: Buffer): void {
  res.removeHeader('Access-Control-Allow-Origin')
  res.setHeader('Cross-Origin-Resource-Policy', 'same-origin')
  res.writeHead(200, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': json.length,
    'Cache-Control': 'no-store',
  })
  res.end(json)
}
