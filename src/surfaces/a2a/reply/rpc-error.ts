/**
 * Refusals as JSON-RPC errors, in fixed texts without a word of the caller's. The first entry of `data` says whether
 * anything was charged and what to do next.
 *
 * Codes: JSON-RPC 2.0, section 5.1; A2A 1.0, section 5.4 (the table of error mappings); details as
 * google.rpc.ErrorInfo and google.rpc.BadRequest (A2A 1.0, section 9.5).
 */
import type { OutgoingHttpHeaders } from 'node:http'
import { consequencesOf, detailOn, ERRORS, type ErrorCode } from '../../../errors.ts'
import { PRICE_USD } from '../../../skills/price.ts'

export interface ErrorDetail {
  readonly '@type': string
  readonly [member: string]: unknown
}

export interface RpcError {
  /** HTTP status; 200 for refusals that only JSON-RPC knows. */
  readonly status: number
  readonly headers: OutgoingHttpHeaders
  readonly error: {
    readonly code: number
    readonly message: string
    readonly data?: readonly ErrorDetail[]
  }
  /** True if the request's id must not come back, because it is malformed or holds the value. */
  readonly idless: boolean
  /** The entry of the error catalogue, if the refusal has one. */
  readonly catalogued?: ErrorCode
}

const A2A_DOMAIN = 'a2a-protocol.org'
const OWN_DOMAIN = 'format-checker'

const errorInfo = (
  reason: string,
  domain: string,
  metadata?: Readonly<Record<string, string>>,
): ErrorDetail => ({
  '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
  reason,
  domain,
  ...(metadata === undefined ? {} : { metadata }),
})

/** Describes a code of the catalogue, with what a program may conclude from it; `metadata` must be our own words. */
export function cataloguedInfo(
  code: ErrorCode,
  metadata: Readonly<Record<string, string>> = {},
): ErrorDetail {
  const { charged, retry } = consequencesOf(code)
  return errorInfo(code.toUpperCase(), OWN_DOMAIN, { code, charged: String(charged), retry, ...metadata })
}

/** Nothing of the request reached a check or a payment, and the same request would fail again. */
const NOTHING_CHARGED = { charged: 'false', retry: 'fix' } as const

const PROTOCOL_FAULTS = {
  PARSE_ERROR: [-32700, 'The body is not JSON text in UTF-8.'],
  METHOD_NOT_FOUND: [-32601, 'Unknown method in this protocol version.'],
  INTERNAL_ERROR: [-32603, detailOn('internal_error', 'a2a')],
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
  INTERNAL_ERROR: { charged: 'unknown', retry: 'unchanged' },
  TASK_NOT_CANCELABLE: { charged: 'unknown', retry: 'never' },
  TASK_TERMINAL: { charged: 'unknown', retry: 'fix' },
}

/** Codes of JSON-RPC itself; A2A names no reason for them. */
const WITHOUT_INFO: ReadonlySet<ProtocolFault> = new Set([
  'PARSE_ERROR',
  'METHOD_NOT_FOUND',
  'INTERNAL_ERROR',
])

export function protocolFault(name: ProtocolFault): RpcError {
  const [code, message] = PROTOCOL_FAULTS[name]
  const reason = name === 'TASK_TERMINAL' ? 'UNSUPPORTED_OPERATION' : name
  const domain = WITHOUT_INFO.has(name) ? OWN_DOMAIN : A2A_DOMAIN
  const data = [errorInfo(reason, domain, CONSEQUENCES[name] ?? NOTHING_CHARGED)]
  return { status: 200, headers: {}, error: { code, message, data }, idless: name === 'PARSE_ERROR' }
}

/** -32600: not a JSON-RPC 2.0 request. */
export function invalidRequest(message: string): RpcError {
  const data = [errorInfo('INVALID_REQUEST', OWN_DOMAIN, NOTHING_CHARGED)]
  return { status: 200, headers: {}, error: { code: -32600, message, data }, idless: false }
}

/** -32602 for a field, by a path in our own words ("message.parts[0].data.skill"); `code` if the catalogue has an entry for it, `index` of the item if the field is in a list. */
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
  const data = [info, badRequest]
  return {
    status: 200,
    headers: {},
    error: { code: -32602, message: `Invalid parameters: ${field}: ${description}`, data },
    idless: false,
    ...(code === undefined ? {} : { catalogued: code }),
  }
}

export interface RefusalOptions {
  /** JSON-RPC code; by default the HTTP status, which lies outside every reserved range. */
  readonly rpcCode?: number
  readonly headers?: OutgoingHttpHeaders
  readonly metadata?: Readonly<Record<string, string>>
  readonly details?: readonly ErrorDetail[]
  readonly idless?: boolean
  /** What the message begins with: the check that a text was understood to order. */
  readonly question?: string
  /** What the call costs, in US dollars; by default the price of one check. */
  readonly priceUsd?: string
  /** What the network is called, beside a price. */
  readonly network?: string
}

/** What an unpaid error starts with, for a model without a wallet to pass on. */
const priceSentence = ({ priceUsd = PRICE_USD, network }: RefusalOptions) =>
  `This ${priceUsd === PRICE_USD ? 'check' : 'list'} costs USD ${priceUsd}, paid in USDC${network === undefined ? '' : ` on ${network}`} with x402; without a wallet, tell the user the price. `

/** The message of a code; unpaid outcomes start with the price. */
function messageOf(code: ErrorCode, options: RefusalOptions): string {
  const detail = detailOn(code, 'a2a')
  return ERRORS[code].status === 402 ? `${priceSentence(options)}${detail}` : detail
}

/** A refusal of the catalogue under its own HTTP status. */
export function catalogued(code: ErrorCode, options: RefusalOptions = {}): RpcError {
  const { status } = ERRORS[code]
  const data = [cataloguedInfo(code, options.metadata), ...(options.details ?? [])]
  const question = options.question === undefined ? '' : `${options.question} `
  return {
    status,
    headers: options.headers ?? {},
    error: {
      code: options.rpcCode ?? status,
      message: question + messageOf(code, options),
      data,
    },
    idless: options.idless ?? false,
    catalogued: code,
  }
}

/** Carries a refusal through the SDK's transport, which knows only thrown errors. */
export class Refused extends Error {
  override readonly name = 'Refused'
  readonly fault: RpcError

  constructor(fault: RpcError) {
    super('refused')
    this.fault = fault
  }
}
