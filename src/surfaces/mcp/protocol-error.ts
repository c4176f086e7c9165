/**
 * JSON-RPC errors in constant words.
 *
 * The SDK quotes what it refuses (tool names, header values, versions, URIs). A caller's value may stand in any of
 * them, so every error leaves with a text of our own, and with data only where it is made of nothing but ours.
 */
import { consequencesOf, detailOn, type ErrorCode } from '../../errors.ts'
import { MCP_VERSIONS } from './versions.ts'

export type JsonRpcId = string | number | null

/** JSON-RPC 2.0, section 5.1. */
export const PARSE_ERROR = -32700
export const INVALID_REQUEST = -32600
export const INVALID_PARAMS = -32602
export const INTERNAL_ERROR = -32603
/** What MCP servers answer with when the transport itself refuses. */
export const TRANSPORT_ERROR = -32000

/** MCP 2026-07-28, "Unsupported protocol version". */
const UNSUPPORTED_VERSION = -32022

const OTHER_VERSION = `Unsupported protocol version: send the header MCP-Protocol-Version with one of ${MCP_VERSIONS.join(', ')}.`

/** What the SDK answers a version with that it does not speak; which of them depends on where the version would stand. */
const VERSION_REFUSALS: ReadonlySet<number> = new Set([UNSUPPORTED_VERSION, INVALID_PARAMS, TRANSPORT_ERROR])

const MESSAGES: Readonly<Record<number, string>> = {
  [PARSE_ERROR]: 'Parse error: the body must be one JSON-RPC message in UTF-8.',
  [INVALID_REQUEST]: 'Invalid request: the body must be one JSON-RPC 2.0 message.',
  [-32601]: 'Method not found: this server has tools and resources.',
  [INVALID_PARAMS]: 'Invalid params: tools/list and resources/list name what there is and how to ask for it.',
  [INTERNAL_ERROR]: 'Internal error.',
  [-32020]:
    'Header mismatch: MCP-Protocol-Version, Mcp-Method and Mcp-Name are required and repeat the body.',
  [-32021]: 'A client capability that this request needs was not declared.',
  [UNSUPPORTED_VERSION]: OTHER_VERSION,
}

const UNNAMED = 'The request was refused.'

/** What the protocol refuses has reached no check and no payment. */
const REFUSED_UNREAD = { charged: false, retry: 'fix' } as const

/** The body of a JSON-RPC error; its data says what became of a payment that came along. */
export function errorBody(id: JsonRpcId, code: number, message: string, data?: object): string {
  const consequences = code === INTERNAL_ERROR ? consequencesOf('internal_error') : REFUSED_UNREAD
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, data: { ...consequences, ...data } } })
}

/** The body of an error of our own catalogue; `data.code` names it. */
export function catalogueBody(id: JsonRpcId, rpcCode: number, code: ErrorCode): string {
  return errorBody(id, rpcCode, `${code}: ${detailOn(code, 'mcp')}`, { code, ...consequencesOf(code) })
}

/**
 * An answer of the SDK as it may leave: results as they are, errors in our words. `version` is the header
 * MCP-Protocol-Version of the request; it is compared and never quoted.
 */
export function inPlainWords(
  body: string,
  version: string | undefined,
): { readonly body: string; readonly code?: number } {
  // An error never has a result, and the SDK serialises the member like this; other bodies need no parsing.
  if (!body.includes('"error":{"code":')) return { body }
  const answer = JSON.parse(body) as SdkAnswer
  if (answer.error === undefined || answer.result !== undefined) return { body }
  const code = codeOf(answer.error)
  const isOther = version !== undefined && !MCP_VERSIONS.includes(version) && VERSION_REFUSALS.has(code)
  const message = isOther ? OTHER_VERSION : (MESSAGES[code] ?? UNNAMED)
  return { body: errorBody(answer.id ?? null, code, message, dataOf(code, answer.error.data)), code }
}

interface SdkAnswer {
  readonly id?: JsonRpcId
  readonly result?: unknown
  readonly error?: {
    readonly code: number
    readonly message: string
    readonly data?: ErrorData
  }
}

interface ErrorData {
  readonly supported?: unknown
  readonly requested?: unknown
  readonly uri?: unknown
}

/** The SDK takes params that do not fit their schema for an error of its own: its text is then a list of issues. */
function codeOf({ code, message }: NonNullable<SdkAnswer['error']>): number {
  return code === INTERNAL_ERROR && message.startsWith('[') ? INVALID_PARAMS : code
}

/** A protocol revision, or a version as clients misspell one. */
const VERSION = /^(?:\d{4}-\d{2}-\d{2}|v\d{1,3}\.\d{1,3}\.\d{1,3})$/

/** A URI without digits and without an at sign: none of the identifiers can stand in it. */
const HARMLESS_URI = /^[a-z+-]{1,20}:\/\/[a-z/-]{0,200}$/

/** What clients are to find in `data` (MCP 2026-07-28), as far as it cannot hold an identifier. */
function dataOf(code: number, data: ErrorData | undefined): object | undefined {
  if (code === UNSUPPORTED_VERSION)
    return { supported: data?.supported, requested: matching(VERSION, data?.requested) ?? 'unknown' }
  const uri = matching(HARMLESS_URI, data?.uri)
  return code === INVALID_PARAMS && uri !== undefined ? { uri } : undefined
}

function matching(form: RegExp, word: unknown): string | undefined {
  return typeof word === 'string' && form.test(word) ? word : undefined
}
