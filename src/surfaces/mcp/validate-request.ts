/**
 * MCP 2026-07-28, "Streamable HTTP", security warning. Under a public host name pages of any origin may call: there is
 * no cookie or session. Under a loopback name only pages of this machine may, which with the list of hosts stops DNS
 * rebinding. The name decides, because behind a proxy a process on loopback serves a public host.
 */
import type { IncomingMessage } from 'node:http'
import {
  localhostAllowedOrigins,
  validateHostHeader,
  validateOriginHeader,
} from '@modelcontextprotocol/server'
import { hasContentEncoding } from '../../http/body/has-content-encoding.ts'
import { isJsonMediaType } from '../../http/body/json-media-type.ts'
import { hasQuery } from '../../http/request-target.ts'
import { LOOPBACK_NAMES } from '../../values/loopback.ts'
import { errorBody, INVALID_REQUEST, TRANSPORT_ERROR } from './protocol-error.ts'
import { type Refusal, refusal } from './refusal.ts'

export interface RequestRules {
  readonly allowedHosts: readonly string[]
  readonly loopback: boolean
}

const FOREIGN_PAGE: Refusal = {
  status: 403,
  body: errorBody(null, TRANSPORT_ERROR, 'The Origin header names a page that may not call this service.'),
}

/** The validator returns null for a POST whose body may be read. */
export function requestValidator({ allowedHosts, loopback }: RequestRules) {
  const hosts = [...allowedHosts]
  const loopbackNames = [...LOOPBACK_NAMES]
  const loopbackOrigins = localhostAllowedOrigins()

  return function validate(req: IncomingMessage): Refusal | null {
    const { host, origin } = req.headers
    if (!validateHostHeader(host, hosts).ok) return refusal('host_not_allowed')
    const isLocal = loopback && validateHostHeader(host, loopbackNames).ok
    if (isLocal && !validateOriginHeader(origin, loopbackOrigins).ok) return FOREIGN_PAGE
    if (req.method !== 'POST') return refusal('method_not_allowed', { headers: { Allow: 'POST, OPTIONS' } })
    if (hasQuery(req)) return refusal('query_not_allowed', { rpcCode: INVALID_REQUEST })
    if (!isJsonMediaType(req.headers['content-type'])) return refusal('unsupported_media_type')
    if (hasContentEncoding(req)) return refusal('unsupported_content_encoding')
    return null
  }
}
