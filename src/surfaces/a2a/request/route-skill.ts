/**
 * Which skill a message orders, by this order: data parts; the skill in the metadata, with the text as the value; JSON
 * as text; the one form of words. A2A has no standard member for the skill; most clients send `{ skill, input }`.
 * Several data parts, or `{ skill, input: { values } }`, are a list under one payment.
 */
import type { Message } from '@a2a-js/sdk'
import type { Skill, SkillRegistry } from '../../../catalog/skill.ts'
import { readInput } from '../../../catalog/validate-input.ts'
import { MOST_ITEMS, readValues } from '../../../catalog/validate-list.ts'
import { detailOn, itemDetailOn } from '../../../errors.ts'
import type { Item, ValueCall } from '../../../payments/ports/sale.ts'
import { isObject, type JsonObject } from '../../../values/json.ts'
import { SKILL_KEYS } from '../protocol/payment-metadata.ts'
import { invalidParams, type RpcError } from '../protocol/rpc-error.ts'
import { type Mention, mentionFinder } from '../text/find-mention.ts'
import { orderReader } from '../text/read-order.ts'
import { copyOf, type JsonOrderReader, jsonOrderReader } from './json-order.ts'
import { parseObject, withoutFences } from './parse-object.ts'

export type Ordered = Pick<ValueCall, 'shape' | 'type' | 'items'>

export type Route =
  | { readonly kind: 'order'; readonly ordered: Ordered; readonly isInWords: boolean }
  | { readonly kind: 'help'; readonly mention: Mention }
  | RpcError

export type SkillRouter = (message: Message) => Route

export function skillRouter(registry: SkillRegistry): SkillRouter {
  const json = jsonOrderReader(registry)
  const readOrder = orderReader(registry)
  const findMention = mentionFinder(registry)
  return (message) => {
    const route = routeParts(message, json)
    if (typeof route !== 'string') return route
    const items = readOrder(route)
    return items === undefined ? { kind: 'help', mention: findMention(route) } : orderOfLines(items)
  }
}

function routeParts({ parts, metadata }: Message, json: JsonOrderReader): Route | string {
  if (parts.length === 0) return invalidParams('message.parts', 'must have at least one part')
  const texts: string[] = []
  const objects: DataPart[] = []
  for (const [index, { content }] of parts.entries()) {
    if (content?.$case === 'text') texts.push(content.value)
    if (content?.$case === 'data' && isObject(content.value)) {
      objects.push({ data: content.value, field: `message.parts[${index}].data` })
    }
  }
  const [object] = objects
  if (objects.length > 1) return listOfParts(objects, json)
  if (object !== undefined) return orderOf(object.data, object.field, json)
  const key = SKILL_KEYS.find((name) => metadata?.[name] !== undefined)
  if (key !== undefined) return orderByMetadata(metadata?.[key], `message.metadata.${key}`, texts, json)
  const spelt = texts.length === 1 ? parseObject(withoutFences(texts[0] ?? '')) : undefined
  if (spelt !== undefined) return orderOf(spelt, 'message.parts[0].text', json)
  return texts.join('\n')
}

interface DataPart {
  readonly data: JsonObject
  readonly field: string
}

function listOfParts(parts: readonly DataPart[], json: JsonOrderReader): Route {
  if (parts.length > MOST_ITEMS)
    return invalidParams('message.parts', detailOn('list_too_long', 'a2a'), 'list_too_long')
  const items: Item[] = []
  for (const [index, { data, field }] of parts.entries()) {
    const route = orderOf(data, field, json, index)
    if (route.kind !== 'order') return route
    if (route.ordered.shape === 'list')
      return invalidParams(field, 'must have one value, beside other data parts')
    items.push(route.ordered.items[0])
  }
  const [first, ...more] = items
  if (first === undefined) throw new Error('a list without parts')
  return ordered(listOf([first, ...more]))
}

const ordered = (of: Ordered): Route => ({ kind: 'order', ordered: of, isInWords: false })

function listOf(items: Ordered['items']): Ordered {
  const [first, ...more] = items
  const isOneType = more.every(({ skill }) => skill === first.skill)
  return { shape: 'list', type: isOneType ? first.skill.id : 'mixed', items }
}

function orderOfLines(items: Ordered['items']): Route {
  const [first, ...more] = items
  for (const [index, { skill, value }] of items.entries()) {
    const route = valued(skill, { value }, 'message.parts', more.length > 0 ? index : undefined)
    if (route.kind !== 'order') return route
  }
  const single = { shape: 'single', type: first.skill.id, items } as const
  return { kind: 'order', ordered: more.length === 0 ? single : listOf(items), isInWords: true }
}

function orderOf(data: JsonObject, field: string, json: JsonOrderReader, index?: number): Route {
  const order = json.order(data, { field, index })
  if (order.kind === 'fault') return order
  const { skill, input } = order
  return isObject(input) && Object.hasOwn(input, 'values')
    ? listOfValues(skill, input, order.field)
    : valued(skill, input, order.field, index)
}

function listOfValues(skill: Skill, input: JsonObject, field: string): Route {
  const reading = readValues(skill, input)
  if (reading.ok) return ordered({ shape: 'list', type: skill.id, items: reading.items })
  const { code, index } = reading
  if (index !== undefined)
    return invalidParams(`${field}.values[${index}]`, itemDetailOn(code, 'a2a'), code, index)
  return invalidParams(field, code === 'list_missing' ? VALUES_ALONE : detailOn(code, 'a2a'), code)
}

const VALUES_ALONE = 'must be {"values": ["..."]} and nothing else, or {"value": "..."} for one value'

function orderByMetadata(
  name: unknown,
  field: string,
  texts: readonly string[],
  json: JsonOrderReader,
): Route {
  const skill = json.skill(name, { field })
  if ('kind' in skill) return skill
  if (texts.length > 1) return invalidParams('message.parts', 'must have one text part, which is the value')
  return valued(skill, { value: texts[0] }, 'message.parts[0]')
}

function valued(skill: Skill, input: unknown, field: string, index?: number): Route {
  const reading = readInput(skill, input)
  if (!reading.ok) {
    const description = `${detailOn(reading.code, 'a2a')} To copy: ${copyOf(skill)}`
    return invalidParams(`${field}.value`, description, reading.code, index)
  }
  const items = [{ skill, value: reading.value }] as const
  return ordered({ shape: 'single', type: skill.id, items })
}
