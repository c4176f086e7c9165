import type { OutgoingHttpHeaders } from 'node:http'
import type { ErrorCode } from '../../errors.ts'
import { acceptedHeaders } from '../../http/headers/accepted.ts'
import { catalogueBody, type JsonRpcId, TRANSPORT_ERROR } from './protocol-error.ts'

/** A request that the protocol layer never sees, and how it is answered. */
export interface Refusal {
  readonly status: number
  /** Absent where the protocol itself is broken: the body says how. */
  readonly code?: ErrorCode
  readonly body: string
  readonly headers?: OutgoingHttpHeaders
}

export function refusal(
  status: number,
  code: ErrorCode,
  options: { id?: JsonRpcId; rpcCode?: number; headers?: OutgoingHttpHeaders } = {},
): Refusal {
  const { id = null, rpcCode = TRANSPORT_ERROR, headers } = options
  return {
    status,
    code,
    body: catalogueBody(id, rpcCode, code),
    headers: { ...headers, ...acceptedHeaders(code) },
  }
}

/** An application's own code: outside the range JSON-RPC keeps for itself. */
const TOO_MANY = 429

/** HTTP 429 in JSON-RPC's words; `seconds` until the client may ask again. */
export function tooMany(id: JsonRpcId, seconds: number): Refusal {
  return refusal(429, 'too_many_requests', { id, rpcCode: TOO_MANY, headers: { 'Retry-After': seconds } })
}
