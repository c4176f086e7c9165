import type { OutgoingHttpHeaders } from 'node:http'
import { consequencesOf, detailOn, ERRORS, type ErrorCode } from '../../errors.ts'
import { acceptedHeaders } from '../../http/headers/accepted.ts'
import type { Declined } from '../../payments/ports/sale.ts'
import { errorBody, type JsonRpcId, TRANSPORT_ERROR } from './protocol-error.ts'

/** The answer to a request that does not reach the SDK. */
export interface Refusal {
  readonly status: number
  /** Absent for errors of the protocol, which the catalogue does not have. */
  readonly code?: ErrorCode
  readonly body: string
  readonly headers?: OutgoingHttpHeaders
}

export function refusal(
  code: ErrorCode,
  options: { id?: JsonRpcId; rpcCode?: number; headers?: OutgoingHttpHeaders } = {},
): Refusal {
  const { id = null, rpcCode = TRANSPORT_ERROR, headers } = options
  const data = { code, ...consequencesOf(code) }
  return {
    status: ERRORS[code].status,
    code,
    body: errorBody(id, rpcCode, `${code}: ${detailOn(code, 'mcp')}`, data),
    headers: { ...headers, ...acceptedHeaders(code) },
  }
}

/** A code outside the range that JSON-RPC reserves. */
const TOO_MANY = 429

export function tooMany(id: JsonRpcId, { retryAfterSeconds }: Declined): Refusal {
  const headers = { 'Retry-After': retryAfterSeconds }
  return refusal('too_many_requests', { id, rpcCode: TOO_MANY, headers })
}
