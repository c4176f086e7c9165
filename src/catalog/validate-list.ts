import type { ErrorCode } from '../errors.ts'
import { isObject } from '../values/json.ts'
import type { JsonSchema, Skill, SkillRegistry } from './skill.ts'
import { type InputReading, readInput } from './validate-input.ts'

export interface ListItem {
  readonly skill: Skill
  readonly value: string
}

export type ListReading =
  | { readonly ok: true; readonly items: readonly [ListItem, ...ListItem[]] }
  /** `index` of the first item with a fault; absent if the fault is the list's own. */
  | { readonly ok: false; readonly code: ErrorCode; readonly index?: number }

export const MOST_ITEMS = 1_000

/** The JSON Schema of a list; other members are allowed unless a surface forbids them. */
export const listSchema = (name: 'items' | 'values', item: JsonSchema): JsonSchema => ({
  type: 'object',
  properties: { [name]: { type: 'array', minItems: 1, maxItems: MOST_ITEMS, items: item } },
  required: [name],
})

/** That of an item which names its type. */
export const itemSchema = (type: JsonSchema, value: JsonSchema): JsonSchema => ({
  type: 'object',
  properties: { type, value },
  required: ['type', 'value'],
})

/** `{"values": [string, ...]}`, each checked by one skill. */
export const readValues = (skill: Skill, json: unknown): ListReading =>
  readList(json, 'values', (value) => withSkill(skill, readInput(skill, { value })))

/** `{"items": [{"type", "value"}, ...]}`, each checked by the skill it names. */
export const readItems = (skills: SkillRegistry, json: unknown): ListReading =>
  readList(json, 'items', (item) => {
    if (!isObject(item)) return { ok: false, code: 'item_not_an_object' }
    const { type, ...input } = item
    const skill = typeof type === 'string' ? skills.resolve(type) : undefined
    if (skill === undefined) return { ok: false, code: 'item_type_unknown' }
    return withSkill(skill, readInput(skill, input))
  })

type ItemReading =
  | { readonly ok: true; readonly item: ListItem }
  | { readonly ok: false; readonly code: ErrorCode }

const withSkill = (skill: Skill, reading: InputReading): ItemReading =>
  reading.ok ? { ok: true, item: { skill, value: reading.value } } : reading

function readList(json: unknown, name: string, readItem: (item: unknown) => ItemReading): ListReading {
  if (!isObject(json)) return { ok: false, code: 'list_missing' }
  // Other members are counted and not copied: a body may have a hundred thousand of them.
  const list = Object.hasOwn(json, name) ? json[name] : undefined
  if (!Array.isArray(list) || Object.keys(json).length > 1) return { ok: false, code: 'list_missing' }
  if (list.length > MOST_ITEMS) return { ok: false, code: 'list_too_long' }
  const items: ListItem[] = []
  for (const [index, each] of list.entries()) {
    const reading = readItem(each)
    if (!reading.ok) return { ok: false, code: reading.code, index }
    items.push(reading.item)
  }
  const [first, ...more] = items
  return first === undefined ? { ok: false, code: 'list_empty' } : { ok: true, items: [first, ...more] }
}
