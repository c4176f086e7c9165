/**
 * The SDK quotes what it refuses: tool names, header values, versions, URIs. Each may hold a client's value, so every
 * error has our own text, and only data that cannot hold a value.
 */
import { consequencesOf } from '../../errors.ts'
import { isObject, parseJson } from '../../values/json.ts'
import { MCP_VERSIONS } from './versions.ts'

export type JsonRpcId = string | number | null

/** JSON-RPC 2.0, section 5.1. */
export const PARSE_ERROR = -32700
export const INVALID_REQUEST = -32600
export const INVALID_PARAMS = -32602
export const INTERNAL_ERROR = -32603
/** The code of MCP servers for refusals of the transport. */
export const TRANSPORT_ERROR = -32000

/** MCP 2026-07-28, "Unsupported protocol version". */
const UNSUPPORTED_VERSION = -32022

const OTHER_VERSION = `Unsupported protocol version: send the header MCP-Protocol-Version with one of ${MCP_VERSIONS.join(', ')}.`

/** The codes with which the SDK refuses an unknown version; which one depends on where the request names it. */
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

export const PARAM_FAULTS = {
  tool: 'Invalid params: "name" names no tool of this server; tools/list names them.',
  cursor: 'Invalid params: "cursor" was not given out by this server; its lists have one page.',
  prompt: 'Invalid params: "name" names no prompt of this server; it has none.',
} as const
const OWN_WORDS: readonly string[] = Object.values(PARAM_FAULTS)

const UNNAMED = 'The request was refused.'

/** A request that the protocol refuses reaches no check and no payment. */
const REFUSED_UNREAD = { charged: false, retry: 'fix' } as const

export function errorBody(id: JsonRpcId, code: number, message: string, data?: object): string {
  const consequences = code === INTERNAL_ERROR ? consequencesOf('internal_error') : REFUSED_UNREAD
  return JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, data: { ...consequences, ...data } } })
}

/** Only for errors. `version` is the header MCP-Protocol-Version; it is compared and never quoted. */
export function inPlainWords(
  body: string,
  version: string | undefined,
): { readonly body: string; readonly code?: number } {
  // The SDK serialises an error like this; other bodies need no parsing.
  if (!body.includes('"error":{"code":')) return { body }
  const answer = JSON.parse(body) as SdkAnswer
  if (answer.error === undefined) return { body }
  const code = codeOf(answer.error)
  const isOther = version !== undefined && !MCP_VERSIONS.includes(version) && VERSION_REFUSALS.has(code)
  const message = isOther ? OTHER_VERSION : wordsOf(code, answer.error.message)
  return { body: errorBody(answer.id ?? null, code, message, dataOf(code, answer.error.data)), code }
}

interface SdkAnswer {
  readonly id?: JsonRpcId
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

/** The SDK calls params that do not fit their schema an internal error, with a JSON list of issues as its text. */
function codeOf({ code, message }: NonNullable<SdkAnswer['error']>): number {
  return code === INTERNAL_ERROR && message.startsWith('[') ? INVALID_PARAMS : code
}

function wordsOf(code: number, message: string): string {
  if (OWN_WORDS.includes(message)) return message
  const field = code === INVALID_PARAMS ? fieldIn(message) : undefined
  return field === undefined
    ? (MESSAGES[code] ?? UNNAMED)
    : `Invalid params: "${field}" is missing or has the wrong form.`
}

/** The path of the first issue in the SDK's list; its members may be a client's, so one that could hold a value is left out. */
function fieldIn(message: string): string | undefined {
  const issues = parseJson(message.slice(Math.max(0, message.indexOf('['))))
  const [first] = Array.isArray(issues) ? issues : []
  const path = isObject(first) && Array.isArray(first.path) ? first.path.map(String) : []
  const named = path.filter((step) => HARMLESS_NAME.test(step))
  return named.length === 0 ? undefined : named.join('.')
}

/** Without digits and "@", so that no identifier fits. */
const HARMLESS_NAME = /^[A-Za-z_]{1,32}$/

/** A protocol revision, or a program's version that a client sends in its place. */
const VERSION = /^(?:\d{4}-\d{2}-\d{2}|v\d{1,3}\.\d{1,3}\.\d{1,3})$/

/** A URI without digits and "@", in which no identifier fits. */
const HARMLESS_URI = /^[a-z+-]+:\/\/[a-z/-]*$/

/** The `data` that MCP 2026-07-28 asks for, as far as it cannot hold an identifier. */
function dataOf(code: number, data: ErrorData | undefined): object {
  if (code === UNSUPPORTED_VERSION)
    return { supported: data?.supported, requested: matching(VERSION, data?.requested) ?? 'unknown' }
  return { uri: matching(HARMLESS_URI, data?.uri) }
}

function matching(form: RegExp, word: unknown): string | undefined {
  return typeof word === 'string' && form.test(word) ? word : undefined
}
