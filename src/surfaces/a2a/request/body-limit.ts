/**
 * How long a body may be: 16 kB, and 1 MB for a list.
 *
 * Only the body says whether it is a list, so a long one is read if it announces its length, or comes with a payment
 * header, and is refused afterwards if it turns out to be something else.
 */
import type { IncomingMessage } from 'node:http'
import { readPaymentHeader } from '../../../http/headers/payment-header.ts'
import { isObject, type JsonObject } from '../../../json.ts'
import { parseObject } from './parse-object.ts'

/** Bytes of a request body. */
export const BODY_LIMIT = 16_384

/** Bytes of a request body with a list. */
export const LIST_BODY_LIMIT = 1_048_576

/** Members and elements of a request with a list: twice what 1,000 data parts have. */
const MOST_NODES = 20_000

/** Returns true if a request may be longer than a single order. */
export function mayBeList(req: IncomingMessage): boolean {
  return Number(req.headers['content-length'] ?? 0) > BODY_LIMIT || readPaymentHeader(req).kind !== 'none'
}

/**
 * Returns true for a request that orders a list, sound or not, and has no more members than a list needs, nor more
 * text beside its data than a single order may have.
 */
export function isListRequest(request: JsonObject): boolean {
  const { params } = request
  const message = isObject(params) && isObject(params.message) ? params.message : {}
  const parts = Array.isArray(message.parts) ? message.parts : []
  const read = parts.filter(isObject).map((part) => ({ text: part.text, data: dataOf(part) }))
  const orders = read.flatMap(({ data }) => (data === undefined ? [] : [data]))
  const isList = orders.length > 1 || orders.some(hasValues)
  // Data in a text are counted as well: the request holds them as one string.
  const spelt = read.map(({ text, data }) => (typeof text === 'string' ? data : undefined))
  const prose = read.reduce((sum, { text, data }) => sum + (data ? 0 : lengthOf(text)), 0)
  return isList && nodesLeft([request, spelt], MOST_NODES) >= 0 && prose <= BODY_LIMIT
}

function dataOf({ text, data }: JsonObject): JsonObject | undefined {
  const read = typeof text === 'string' ? parseObject(text) : data
  return isObject(read) ? read : undefined
}

const lengthOf = (text: unknown) => (typeof text === 'string' ? text.length : 0)

function hasValues({ input, parameters }: JsonObject): boolean {
  return [input, parameters].some((given) => isObject(given) && Array.isArray(given.values))
}

/** Counts down for every member; negative as soon as there are too many. Nesting is limited before. */
function nodesLeft(value: unknown, budget: number): number {
  let left = budget - 1
  if (typeof value !== 'object' || value === null) return left
  for (const member of Object.values(value)) {
    if (left < 0) return left
    left = nodesLeft(member, left)
  }
  return left
}
