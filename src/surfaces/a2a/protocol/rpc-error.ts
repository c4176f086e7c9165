/**
 * Refusals as JSON-RPC errors. Their texts are fixed and repeat nothing of a request.
 *
 * Codes: JSON-RPC 2.0, section 5.1; A2A 1.0, section 5.4. Details: google.rpc.ErrorInfo, which comes first and says
 * whether anything was charged, and google.rpc.BadRequest (A2A 1.0, section 9.5).
 */
import type { OutgoingHttpHeaders } from 'node:http'
import { type Charged, consequencesOf, detailOn, ERRORS, type ErrorCode } from '../../../errors.ts'

export interface ErrorDetail {
  readonly '@type': string
  readonly [member: string]: unknown
}

export interface RpcError {
  readonly kind: 'fault'
  /** 200 for refusals of the protocol. */
  readonly status: number
  readonly headers: OutgoingHttpHeaders
  readonly error: {
    readonly code: number
    readonly message: string
    readonly data: readonly ErrorDetail[]
  }
  /** True if the answer must have no id: the request's was not read, is malformed, or holds the value. */
  readonly idless?: true
  readonly catalogued?: ErrorCode
}

const A2A_DOMAIN = 'a2a-protocol.org'
const OWN_DOMAIN = 'format-checker'

const errorInfo = (
  reason: string,
  domain: string,
  metadata: Readonly<Record<string, string>>,
): ErrorDetail => ({ '@type': 'type.googleapis.com/google.rpc.ErrorInfo', reason, domain, metadata })

/** The first detail of a catalogued error; `metadata` must hold nothing of the request. */
export function cataloguedInfo(
  code: ErrorCode,
  metadata: Readonly<Record<string, string>> = {},
): ErrorDetail {
  const { charged, retry } = consequencesOf(code)
  return errorInfo(code.toUpperCase(), OWN_DOMAIN, { code, charged: String(charged), retry, ...metadata })
}

/** The request reached neither a check nor a payment, and would fail again. */
const NOTHING_CHARGED = { charged: 'false', retry: 'fix' } as const

const PROTOCOL_FAULTS = {
  PARSE_ERROR: [-32700, 'The body is not JSON text in UTF-8.'],
  METHOD_NOT_FOUND: [-32601, 'Unknown method in this protocol version.'],
  TASK_NOT_FOUND: [-32001, detailOn('task_not_found', 'a2a')],
  TASK_NOT_CANCELABLE: [
    -32002,
    'The task is paid for, may be paid for, or has ended; it cannot be canceled.',
  ],
  PUSH_NOTIFICATION_NOT_SUPPORTED: [-32003, 'Push notifications are not supported.'],
  UNSUPPORTED_OPERATION: [-32004, 'This operation is not supported.'],
  TASK_TERMINAL: [
    -32004,
    'This operation is not supported: the task has ended. Send a message without a task id.',
  ],
  CONTENT_TYPE_NOT_SUPPORTED: [
    -32005,
    'Incompatible content type: send JSON requests with text or data parts; files, URLs and other media types are not supported.',
  ],
  VERSION_NOT_SUPPORTED: [
    -32009,
    'This protocol version is not supported; the agent speaks A2A 1.0 and 0.3.',
  ],
} as const satisfies Record<string, readonly [number, string]>

export type ProtocolFault = keyof typeof PROTOCOL_FAULTS

const CONSEQUENCES: Partial<Record<ProtocolFault, { readonly charged: string; readonly retry: string }>> = {
  TASK_NOT_CANCELABLE: { charged: 'unknown', retry: 'never' },
  TASK_TERMINAL: { charged: 'unknown', retry: 'fix' },
}

/** Errors of JSON-RPC itself, for which A2A has no reason. */
const WITHOUT_INFO: ReadonlySet<ProtocolFault> = new Set(['PARSE_ERROR', 'METHOD_NOT_FOUND'])

/** `charged`: what the task says, if the fault is about one. */
export function protocolFault(name: ProtocolFault, charged?: Charged): RpcError {
  const [code, message] = PROTOCOL_FAULTS[name]
  const reason = name === 'TASK_TERMINAL' ? 'UNSUPPORTED_OPERATION' : name
  const domain = WITHOUT_INFO.has(name) ? OWN_DOMAIN : A2A_DOMAIN
  const consequences = CONSEQUENCES[name] ?? NOTHING_CHARGED
  const metadata = charged === undefined ? consequences : { ...consequences, charged: String(charged) }
  const error = rpcError(code, message, [errorInfo(reason, domain, metadata)])
  return name === 'PARSE_ERROR' ? { ...error, idless: true } : error
}

export function invalidRequest(message: string): RpcError {
  return rpcError(-32600, message, [errorInfo('INVALID_REQUEST', OWN_DOMAIN, NOTHING_CHARGED)])
}

/** `field`, e.g. "message.parts[0].data.skill"; `code` of the catalogue, `index` of the item in a list. */
export function invalidParams(
  field: string,
  description: string,
  code?: ErrorCode,
  index?: number,
): RpcError {
  const fieldViolations = [{ field, description }]
  const badRequest = { '@type': 'type.googleapis.com/google.rpc.BadRequest', fieldViolations }
  const info =
    code === undefined
      ? errorInfo('INVALID_PARAMS', OWN_DOMAIN, NOTHING_CHARGED)
      : cataloguedInfo(code, index === undefined ? {} : { index: String(index) })
  const error = rpcError(-32602, `Invalid parameters: ${field}: ${description}`, [info, badRequest])
  return code === undefined ? error : { ...error, catalogued: code }
}

function rpcError(code: number, message: string, data: readonly ErrorDetail[]): RpcError {
  return { kind: 'fault', status: 200, headers: {}, error: { code, message, data } }
}

export interface RefusalOptions {
  readonly headers?: OutgoingHttpHeaders
  readonly metadata?: Readonly<Record<string, string>>
  readonly details?: readonly ErrorDetail[]
  readonly preface?: string
  /** Stands behind it. */
  readonly why?: string | undefined
}

export const detailWith = (code: ErrorCode, why: string | undefined): string =>
  why === undefined ? detailOn(code, 'a2a') : `${detailOn(code, 'a2a')} ${why}`

/**
 * A refusal of the catalogue under its HTTP status, which is its JSON-RPC code too: it lies outside every reserved
 * range.
 */
export function catalogued(
  code: ErrorCode,
  { headers = {}, metadata, details = [], preface = '', why }: RefusalOptions = {},
): RpcError {
  const { status } = ERRORS[code]
  return {
    kind: 'fault',
    status,
    headers,
    error: {
      code: code === 'internal_error' ? -32603 : status,
      message: preface + detailWith(code, why),
      data: [cataloguedInfo(code, metadata), ...details],
    },
    catalogued: code,
  }
}

export const INTERNAL_ERROR = catalogued('internal_error')
