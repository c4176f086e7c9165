import { readJson } from '../../http/body/read-json.ts'
import { isObject, type JsonObject } from '../../values/json.ts'
import { withoutNulls } from './absent-members.ts'
import { errorBody, INVALID_PARAMS, INVALID_REQUEST, type JsonRpcId, PARSE_ERROR } from './protocol-error.ts'
import { decodeArguments } from './read-arguments.ts'
import type { Refusal } from './refusal.ts'

/** A tool call as it was sent; nothing of it is validated. */
export interface ToolCall {
  readonly tool: unknown
  readonly input: unknown
  readonly payment: unknown
  readonly meta: JsonObject | undefined
}

export type MessageReading =
  | {
      readonly kind: 'message'
      readonly message: unknown
      readonly id: JsonRpcId
      readonly call?: ToolCall
    }
  | { readonly kind: 'refused'; readonly refusal: Refusal }

/** Where x402 over MCP carries the payment (x402 v2, transports, MCP). */
const PAYMENT_KEY = 'x402/payment'

/** Characters of an id or progress token. */
const LONGEST_ID = 128

/** Shorter texts are equal by chance: the id 1 and the value "1". */
const SHORTEST_IDENTIFIER = 6

const NOT_JSON = 'Parse error: the body must be JSON in UTF-8.'
const BATCH = 'Invalid request: batches are not supported; send one message at a time.'
const NOT_A_MESSAGE = 'Invalid request: the body must be one JSON-RPC 2.0 message.'
const ID_RULE = `must be a string of at most ${LONGEST_ID} characters or an integer between -2^53 and 2^53`
const BAD_ID = `Invalid request: the id ${ID_RULE}.`
const BAD_TOKEN = `Invalid params: the progress token ${ID_RULE}.`
const VALUE_IN_ID = 'Invalid request: the id or the progress token contains the value. Nothing was charged.'

/**
 * Batches are refused: MCP dropped them in 2025-06-18. So is an id or progress token that contains the value: both are
 * sent back, and clients log them.
 */
export function readMessage(bytes: Buffer): MessageReading {
  const json = readJson(bytes)
  if (json === undefined) return refused(PARSE_ERROR, NOT_JSON)
  if (Array.isArray(json)) return refused(INVALID_REQUEST, BATCH)
  if (!isObject(json)) return refused(INVALID_REQUEST, NOT_A_MESSAGE)

  const message = withoutNulls(json)
  const params = recordIn(message, 'params')
  const meta = recordIn(params, '_meta')
  const id = message.id ?? null
  if (id !== null && !isId(id)) return refused(INVALID_REQUEST, BAD_ID)
  if (!isId(meta?.progressToken ?? '')) return refused(INVALID_PARAMS, BAD_TOKEN)
  const input = decodeArguments(params?.arguments)
  const values = [...valuesIn(params?.arguments), ...valuesIn(input)]
  if ([id, meta?.progressToken].some((word) => holdsOneOf(word, values)))
    return refused(INVALID_REQUEST, VALUE_IN_ID)

  if (message.method !== 'tools/call') return { kind: 'message', message, id }
  const call = {
    tool: params?.name,
    input: input ?? {},
    payment: meta?.[PAYMENT_KEY],
    meta,
  }
  return { kind: 'message', message: withoutContents(message, input, params, meta), id, call }
}

/**
 * The SDK would copy payment and arguments several times. Params of the wrong type stay, so that the SDK refuses them.
 */
function withoutContents(
  message: JsonObject,
  input: unknown,
  params?: JsonObject,
  meta?: JsonObject,
): JsonObject {
  if (params === undefined) return message
  const { [PAYMENT_KEY]: _, ...others } = meta ?? {}
  return {
    ...message,
    params: {
      ...params,
      ...(isObject(input) ? { arguments: {} } : {}),
      ...(meta === undefined ? {} : { _meta: others }),
    },
  }
}

/** What may be a value of a call, also of one that is refused: its answer has the id too. Lists are no deeper. */
function valuesIn(args: unknown, depth = 3): readonly string[] {
  if (typeof args === 'string' || typeof args === 'number') return [String(args)]
  if (typeof args !== 'object' || args === null || depth === 0) return []
  return Object.entries(args).flatMap(([name, member]) =>
    name === 'type' ? [] : valuesIn(member, depth - 1),
  )
}

function isId(word: unknown): word is string | number {
  return Number.isSafeInteger(word) || (typeof word === 'string' && word.length <= LONGEST_ID)
}

/** Compares letters, digits and "@" alone, in one case: a value may be spelt differently in an id. */
function holdsOneOf(word: unknown, values: readonly string[]): boolean {
  const text = stripped(String(word ?? ''))
  return values.map(stripped).some((bare) => bare.length >= SHORTEST_IDENTIFIER && text.includes(bare))
}

const stripped = (text: string): string => text.replace(/[^\p{L}\p{N}@]/gu, '').toLowerCase()

function refused(rpcCode: number, message: string): MessageReading {
  return { kind: 'refused', refusal: { status: 400, body: errorBody(null, rpcCode, message) } }
}

function recordIn(parent: JsonObject | undefined, key: string): JsonObject | undefined {
  const child = parent?.[key]
  return isObject(child) ? child : undefined
}
