import type { IncomingMessage } from 'node:http'
import ipaddr from 'ipaddr.js'

/**
 * Returns the address of the client behind `trustedProxies` proxies of the operator, for limits only. Each proxy appends the
 * address of its caller to `X-Forwarded-For`, some with its port, so a client can forge all entries but the last ones, one
 * for each trusted proxy.
 */
export function clientAddress(req: IncomingMessage, trustedProxies: number): string {
  const peer = req.socket.remoteAddress ?? ''
  if (trustedProxies === 0) return peer
  const header = req.headers['x-forwarded-for']
  const entries = [header ?? []].flat().join(',').split(',')
  const entry = withoutPort(entries.at(-Math.min(trustedProxies, entries.length))?.trim() ?? '')
  return ipaddr.isValid(entry) ? entry : peer
}

/** `192.0.2.7:443` and `[2001:db8::1]:443` without the port; other texts as they are. */
function withoutPort(entry: string): string {
  const [, bracketed, dotted] = /^(?:\[([^\]]+)\](?::\d+)?|(\d+\.\d+\.\d+\.\d+):\d+)$/.exec(entry) ?? []
  return bracketed ?? dotted ?? entry
}
