/** Which client a request came from, for limits only; the address is kept in memory and written nowhere. */
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'

/**
 * The address of the client behind `trustedProxies` proxies of our own.
 *
 * Each proxy appends the address it was called from to `X-Forwarded-For`, so only the last entries, one per
 * trusted proxy, are believed; what a client writes before them is ignored. With 0 the header is not read.
 */
export function clientAddress(req: IncomingMessage, trustedProxies: number): string {
  const peer = req.socket.remoteAddress ?? ''
  if (trustedProxies === 0) return peer
  const header = req.headers['x-forwarded-for']
  const chain = [header ?? []].flat().join(',').split(',')
  const entry = chain.at(-Math.min(trustedProxies, chain.length))?.trim() ?? ''
  return isIP(entry) === 0 ? peer : entry
}
