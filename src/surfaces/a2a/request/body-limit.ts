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

/** Returns true for a request that orders a list, sound or not, and has no more members than a list needs. */
export function isListRequest(request: JsonObject): boolean {
  const { params } = request
  const message = isObject(params) && isObject(params.message) ? params.message : {}
  const parts = Array.isArray(message.parts) ? message.parts : []
  const orders = parts.flatMap(dataOf)
  const isList = orders.length > 1 || orders.some(hasValues)
  return isList && nodesLeft(request, MOST_NODES) >= 0
}

function dataOf(part: unknown): readonly JsonObject[] {
  if (!isObject(part)) return []
  const data = typeof part.text === 'string' ? parseObject(part.text) : part.data
  return isObject(data) ? [data] : []
}

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
