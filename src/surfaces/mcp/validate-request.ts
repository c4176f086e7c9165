/**
 * What is looked at before the body: host, origin, method, query and headers.
 *
 * Host and origin rules follow MCP 2026-07-28, "Streamable HTTP", security warning. On a public host any origin is
 * welcome: there is no cookie and no session that a foreign page could use. Under a name of loopback only pages of this
 * machine are, which together with the host list stops DNS rebinding. The name decides, not the address listened on:
 * behind a proxy on the same machine, a process on loopback serves a public host.
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
import { LOOPBACK_NAMES } from '../../loopback.ts'
import { errorBody, INVALID_REQUEST, TRANSPORT_ERROR } from './protocol-error.ts'
import { type Refusal, refusal } from './refusal.ts'

export interface RequestRules {
  /** Host names without port. */
  readonly allowedHosts: readonly string[]
  /** True when the service is bound to loopback. */
  readonly loopback: boolean
}

const FOREIGN_PAGE: Refusal = {
  status: 403,
  body: errorBody(null, TRANSPORT_ERROR, 'The Origin header names a page that may not call this service.'),
}

/** Builds the validator: it returns a refusal, or null for a POST whose body may be read. */
export function requestValidator({ allowedHosts, loopback }: RequestRules) {
  const hosts = [...allowedHosts]
  const loopbackNames = [...LOOPBACK_NAMES]
  const loopbackOrigins = localhostAllowedOrigins()

  return function validate(req: IncomingMessage): Refusal | null {
    const { host, origin } = req.headers
    if (!validateHostHeader(host, hosts).ok) return refusal(403, 'host_not_allowed')
    const isLocal = loopback && validateHostHeader(host, loopbackNames).ok
    if (isLocal && !validateOriginHeader(origin, loopbackOrigins).ok) return FOREIGN_PAGE
    if (req.method !== 'POST') return refusal(405, 'method_not_allowed', { headers: { Allow: 'POST' } })
    if (hasQuery(req)) return refusal(400, 'query_not_allowed', { rpcCode: INVALID_REQUEST })
    if (!isJsonMediaType(req.headers['content-type'])) return refusal(415, 'unsupported_media_type')
    if (hasContentEncoding(req)) return refusal(415, 'unsupported_content_encoding')
    return null
  }
}
