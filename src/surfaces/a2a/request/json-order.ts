/**
 * An order in JSON, as a data part or as text: `{ skill, input }`, `{ "iban": "..." }`, or a tool call as models write it.
 */

import type { Skill, SkillRegistry } from '../../../catalog/skill.ts'
import { detailOn } from '../../../errors.ts'
import { isObject, type JsonObject } from '../../../values/json.ts'
import { SKILL_KEYS } from '../protocol/payment-metadata.ts'
import { invalidParams, type RpcError } from '../protocol/rpc-error.ts'
import { keywords } from '../text/keywords.ts'
import { parseObject } from './parse-object.ts'

export interface JsonOrder {
  readonly kind: 'order'
  readonly skill: Skill
  /** `{ value }` or `{ values }`, not validated. */
  readonly input: unknown
  readonly field: string
}

/** Where an order is in the message; `index` of its data part if there are several. */
export interface Place {
  readonly field: string
  readonly index?: number | undefined
}

export interface JsonOrderReader {
  order(data: JsonObject, place: Place): JsonOrder | RpcError
  /** Finds a skill by id, operation id, alias or a word for it, in any case. */
  skill(name: unknown, place: Place): Skill | RpcError
}

export const NAMES = ['skill', 'skillId', 'type', 'tool', 'name'] as const
const INPUTS = ['input', 'parameters', 'arguments', 'args', 'value', 'values'] as const

export function jsonOrderReader(registry: SkillRegistry): JsonOrderReader {
  const words = keywords(registry)
  const known = registry.all.map(({ id }) => id).join(', ')
  const copy = `known skills: ${known}; to copy: ${copyOf(registry.all[0])}`
  const named = (name: unknown) =>
    typeof name === 'string' ? (registry.resolve(name) ?? words.of(name)) : undefined

  function unknownSkill(name: unknown, { field, index }: Place): RpcError {
    if (typeof name !== 'string') return invalidParams(field, `must be a string; ${copy}`)
    const near = registry.nearest(name)
    const meant = near === undefined ? '' : `; did you mean "${near.id}"?`
    return invalidParams(field, `is no skill of this agent${meant}; ${copy}`, 'unknown_type', index)
  }

  function order(data: JsonObject, { field, index }: Place): JsonOrder | RpcError {
    const call = [data.function, data.params].find((each) => isObject(each) && Object.hasOwn(each, 'name'))
    if (isObject(call)) return order(call, { field, index })
    // Other members may have another meaning, as in `{ "type": "function" }`.
    const unknown = SKILL_KEYS.find((key) => data[key] != null && named(data[key]) === undefined)
    if (unknown !== undefined) return unknownSkill(data[unknown], { field: `${field}.${unknown}`, index })
    const names = NAMES.filter((key) => Object.hasOwn(data, key))
    const skills = new Set(names.flatMap((key) => named(data[key]) ?? []))
    const [skill] = skills
    if (skills.size > 1) return invalidParams(`${field}.skill`, 'is given twice')
    const given = INPUTS.filter((key) => Object.hasOwn(data, key))
    if (skill === undefined) {
      const types = Object.keys(data).filter((key) => named(key) !== undefined)
      const [type, ...others] = types
      if (others.length > 0)
        return invalidParams(field, 'names several skills; send one data part for each value')
      const only = named(type)
      if (type !== undefined && only !== undefined && given.length === 0) {
        return { kind: 'order', skill: only, input: wrap(data[type]), field }
      }
      const [name] = names
      return name === undefined
        ? invalidParams(`${field}.skill`, `is missing; ${copy}`)
        : unknownSkill(data[name], { field: `${field}.${name}`, index })
    }
    const [key, ...others] = given
    if (others.length > 0) return invalidParams(`${field}.input`, 'is given twice')
    if (key === undefined) {
      const missing = `${detailOn('value_missing', 'a2a')} To copy: ${copyOf(skill)}`
      return invalidParams(`${field}.input.value`, missing, 'value_missing', index)
    }
    const input = data[key]
    return key === 'value' || key === 'values'
      ? { kind: 'order', skill, input: { [key]: input }, field }
      : { kind: 'order', skill, input: unwrap(input, skill), field: `${field}.${key}` }
  }

  /** Models also write arguments as a text of JSON, or under the name of the type: `{ "email": "..." }`. */
  function unwrap(input: unknown, skill: Skill): unknown {
    const object = typeof input === 'string' ? (parseObject(input) ?? input) : input
    const [only, ...more] = isObject(object) ? Object.keys(object) : []
    const isType = only !== undefined && more.length === 0 && named(only) === skill
    return isObject(object) && isType ? wrap(object[only]) : object
  }

  return { order, skill: (name, place) => named(name) ?? unknownSkill(name, place) }
}

const wrap = (given: unknown): unknown =>
  isObject(given) ? given : Array.isArray(given) ? { values: given } : { value: given }

export const copyOf = ({ id, examples }: Skill): string =>
  JSON.stringify({ skill: id, input: examples[0].input })
