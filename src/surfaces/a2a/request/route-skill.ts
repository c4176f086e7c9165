/**
 * Which skill a message orders, and with which value. Deterministic, in this order: one data part; the skill in
 * the message's metadata with the text as the value; a text that is such a data part in JSON; running text.
 *
 * There is no standard member for it in A2A; `{ skill, input }` is the form most clients use.
 */
import type { Message } from '@a2a-js/sdk'
import { detailOn, type ErrorCode } from '../../../errors.ts'
import type { Skill, SkillRegistry } from '../../../skills/skill.ts'
import { readInput } from '../../../skills/validate-input.ts'
import type { Understood } from '../reply/render-help.ts'
import { invalidParams, type RpcError } from '../reply/rpc-error.ts'
import { isObject, type JsonObject, parseObject } from './json-object.ts'
import { SKILL_KEYS } from './payment-metadata.ts'
import { type TextReader, textReader } from './text/read-text-order.ts'

export type Route =
  | { readonly kind: 'order'; readonly skill: Skill; readonly value: string }
  /** Nothing is ordered, or not clearly. */
  | { readonly kind: 'help'; readonly understood: Understood }
  | { readonly kind: 'fault'; readonly fault: RpcError }

export type SkillRouter = (message: Message) => Route

/** Builds the router, which finds the order in a message. */
export function skillRouter(registry: SkillRegistry): SkillRouter {
  const readText = textReader(registry)
  return (message) => routeSkill(message, registry, readText)
}

function routeSkill({ parts, metadata }: Message, registry: SkillRegistry, readText: TextReader): Route {
  if (parts.length === 0) return fault('message.parts', 'must have at least one part')
  const texts: string[] = []
  const objects: { readonly data: JsonObject; readonly field: string }[] = []
  for (const [index, { content }] of parts.entries()) {
    if (content?.$case === 'text') texts.push(content.value)
    if (content?.$case === 'data' && isObject(content.value)) {
      objects.push({ data: content.value, field: `message.parts[${index}].data` })
    }
  }
  const [object] = objects
  if (objects.length > 1) return fault('message.parts', 'may have one data part: one check per message')
  if (object !== undefined) return orderOf(object.data, object.field, registry)
  const key = SKILL_KEYS.find((name) => metadata?.[name] !== undefined)
  if (key !== undefined) return orderByMetadata(metadata?.[key], `message.metadata.${key}`, texts, registry)
  const spelt = texts.length === 1 ? parseObject(texts[0] ?? '') : undefined
  if (spelt !== undefined) return orderOf(spelt, 'message.parts[0].text', registry)
  const reading = readText(texts.join('\n'))
  if (reading.kind === 'unclear') return { kind: 'help', understood: reading }
  return valued(reading.skill, { value: reading.value }, 'message.parts')
}

const NAMES = ['skill', 'skillId', 'type'] as const
const INPUTS = ['input', 'parameters', 'value'] as const
const MEMBERS: ReadonlySet<string> = new Set([...NAMES, ...INPUTS])

function orderOf(data: JsonObject, field: string, registry: SkillRegistry): Route {
  if (Object.keys(data).some((name) => !MEMBERS.has(name))) {
    return fault(field, 'may have the members "skill" and "input" and no others', 'unknown_field')
  }
  const [name, ...names] = NAMES.filter((key) => Object.hasOwn(data, key))
  const [input, ...inputs] = INPUTS.filter((key) => Object.hasOwn(data, key))
  if (name === undefined) return fault(`${field}.skill`, `is missing; ${known(registry)}`)
  if (names.length > 0) return fault(`${field}.skill`, 'is given twice')
  const skill = skillOf(data[name], `${field}.${name}`, registry)
  if ('kind' in skill) return skill
  if (input === undefined)
    return fault(`${field}.input.value`, detailOn('value_missing', 'a2a'), 'value_missing')
  if (inputs.length > 0) return fault(`${field}.input`, 'is given twice')
  return input === 'value'
    ? valued(skill, { value: data.value }, field)
    : valued(skill, data[input], `${field}.${input}`)
}

function orderByMetadata(
  name: unknown,
  field: string,
  texts: readonly string[],
  registry: SkillRegistry,
): Route {
  const skill = skillOf(name, field, registry)
  if ('kind' in skill) return skill
  if (texts.length > 1) return fault('message.parts', 'must have one text part, which is the value')
  return valued(skill, texts.length === 0 ? {} : { value: texts[0] }, 'message.parts[0]')
}

function skillOf(
  name: unknown,
  field: string,
  registry: SkillRegistry,
): Skill | Extract<Route, { kind: 'fault' }> {
  if (typeof name !== 'string') return fault(field, `must be a string; ${known(registry)}`)
  return (
    registry.resolve(name) ?? fault(field, `is no skill of this agent; ${known(registry)}`, 'unknown_type')
  )
}

function valued(skill: Skill, input: unknown, field: string): Route {
  const reading = readInput(skill, input)
  if (reading.ok) return { kind: 'order', skill, value: reading.value }
  return fault(`${field}.value`, detailOn(reading.code, 'a2a'), reading.code)
}

function known(registry: SkillRegistry): string {
  return `known skills: ${registry.all.map(({ id }) => id).join(', ')}`
}

function fault(field: string, description: string, code?: ErrorCode): Extract<Route, { kind: 'fault' }> {
  return { kind: 'fault', fault: invalidParams(field, description, code) }
}
