/** What the sandbox says to this machine alone: to programs, and to its own page. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { isLoopback } from '../../config/loopback.ts'

/** True where the Host is a name of this machine: a page that has pointed its own name here does not get that far. */
export const namesThisMachine = ({ headers }: IncomingMessage): boolean =>
  isLoopback(URL.parse(`http://${headers.host ?? ''}`)?.hostname ?? '')

/** Ends the response with JSON that pages of other origins may not read and nobody keeps. */
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
