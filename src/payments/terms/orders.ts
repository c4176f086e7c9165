import type { Skill, SkillRegistry } from '../../catalog/skill.ts'
import { readInput } from '../../catalog/validate-input.ts'
import { type ListReading, readItems, readValues } from '../../catalog/validate-list.ts'
import type { Quote, SurfaceName, ValueCall } from '../ports/sale.ts'
import type { QuoteBook } from './quotes.ts'

export interface Order extends Pick<ValueCall, 'shape' | 'type' | 'surface'> {
  /** Reads the JSON of a body, or the arguments of a tool. */
  readonly read: (json: unknown) => ListReading
  /** Looked up for each call, because quotes are renewed. */
  readonly quote: (items: number) => Promise<Quote>
}

type Sold = Pick<Order, 'shape' | 'type' | 'surface'>

export const singleOrder = (skill: Skill, surface: SurfaceName, quote: QuoteBook): Order =>
  order({ shape: 'single', type: skill.id, surface }, quote, (json) => {
    const reading = readInput(skill, json)
    return reading.ok ? { ok: true, items: [{ skill, value: reading.value }] } : reading
  })

export const listOrder = (skill: Skill, surface: SurfaceName, quote: QuoteBook): Order =>
  order({ shape: 'list', type: skill.id, surface }, quote, (json) => readValues(skill, json))

export const mixedOrder = (skills: SkillRegistry, surface: SurfaceName, quote: QuoteBook): Order =>
  order({ shape: 'list', type: 'mixed', surface }, quote, (json) => readItems(skills, json))

/** Of values that its surface has read. */
export const readOrder = (
  { items, ...sold }: Pick<ValueCall, 'shape' | 'type' | 'items'>,
  surface: SurfaceName,
  quote: QuoteBook,
): Order => order({ ...sold, surface }, quote, () => ({ ok: true, items }))

const order = (sold: Sold, quote: QuoteBook, read: Order['read']): Order => ({
  ...sold,
  read,
  quote: (items) => quote.of({ ...sold, items }, sold.surface),
})
