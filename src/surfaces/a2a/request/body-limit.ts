/**
 * 16 kB, and 1 MB for a list. Only the body says whether it is one: a long body is read if it announces its length or
 * has a payment header, and refused afterwards if it is no list.
 */
import type { IncomingMessage } from 'node:http'
import { readPaymentHeader } from '../../../http/headers/payment-header.ts'
import { isObject, type JsonObject } from '../../../values/json.ts'
import { NAMES } from './json-order.ts'
import { parseObject, withoutFences } from './parse-object.ts'
import { messageOf } from './read-envelope.ts'

/** Bytes. */
export const BODY_LIMIT = 16_384

/** Members and elements of a request with a list: twice as many as 1,000 data parts have. */
const MOST_NODES = 20_000

export function mayBeList(req: IncomingMessage): boolean {
  return Number(req.headers['content-length'] ?? 0) > BODY_LIMIT || readPaymentHeader(req).kind !== 'none'
}

/**
 * A list, valid or not, with no more members than it needs, and no more text beside its data than a single order may
 * have.
 */
export function isListRequest(request: JsonObject): boolean {
  const { parts: given } = messageOf(request)
  const parts = Array.isArray(given) ? given : []
  const read = parts.filter(isObject).map((part) => ({ text: part.text, data: dataOf(part) }))
  const orders = read.flatMap(({ data }) => (data === undefined ? [] : [data]))
  const inputs = orders.flatMap(inputsOf)
  const texts = inputs.flatMap((input) => (typeof input === 'string' ? (parseObject(input) ?? []) : []))
  const isList =
    orders.length > 1 || [...inputs, ...texts].some((input) => isObject(input) && Array.isArray(input.values))
  // In the request itself, data that are written in a text count as one string.
  const spelt = read.map(({ text, data }) => (typeof text === 'string' ? data : undefined))
  const prose = read.reduce((sum, { text, data }) => sum + (data ? 0 : lengthOf(text)), 0)
  return isList && nodesLeft([request, [...spelt, ...texts]], MOST_NODES) >= 0 && prose <= BODY_LIMIT
}

function dataOf({ text, data }: JsonObject): JsonObject | undefined {
  const read = typeof text === 'string' ? parseObject(withoutFences(text)) : data
  return isObject(read) ? read : undefined
}

const lengthOf = (text: unknown) => (typeof text === 'string' ? text.length : 0)

/** In the data part itself, or in the tool call that it holds; beside the name of a skill, or in its input. */
const inputsOf = (data: JsonObject): readonly unknown[] =>
  [data, data.function, data.params]
    .filter(isObject)
    .flatMap((order) => [isNamed(order) && order, order.input, order.parameters, order.arguments, order.args])

const isNamed = (order: JsonObject): boolean => NAMES.some((name) => Object.hasOwn(order, name))

/** Counts down for every member, and stops below zero. Its recursion is bounded by `isShallow`. */
function nodesLeft(value: unknown, budget: number): number {
  let left = budget - 1
  if (typeof value !== 'object' || value === null) return left
  for (const member of Object.values(value)) {
    if (left < 0) return left
    left = nodesLeft(member, left)
  }
  return left
}
