import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { listenOnLoopback } from '../support/loopback.ts'

/** Serves one handler on a free port of the loopback interface. */
export async function serve(handler: (req: IncomingMessage, res: ServerResponse) => void) {
  const { port, url, stop } = await listenOnLoopback(createServer(handler))
  return { port, url, close: stop }
}

/** A request as far as limits and addresses look at it. */
export function requestFrom(remoteAddress: string, forwardedFor?: string): IncomingMessage {
  const headers = forwardedFor === undefined ? {} : { 'x-forwarded-for': forwardedFor }
  return { socket: { remoteAddress }, headers } as unknown as IncomingMessage
}
