/** What can be ordered at an address or with a tool: a single value, a list of one type, a list of several. */
import type { PurchaseType } from '../../ledger/payment-row.ts'
import type { Skill, SkillRegistry } from '../../skills/skill.ts'
import { readInput } from '../../skills/validate-input.ts'
import { type ListReading, readItems, readValues } from '../../skills/validate-list.ts'
import type { Quote, SurfaceName, ValueCall } from '../ports/sale.ts'

export interface Order extends Pick<ValueCall, 'shape' | 'type' | 'surface'> {
  /** Reads the JSON of a body, or the arguments of a tool. */
  readonly read: (json: unknown) => ListReading
  /** The quote for so many values; looked up for each call, since quotes are renewed before their offers end. */
  readonly quote: (items: number) => Promise<Quote>
}

export interface OrderQuotes {
  readonly quote: (skill: Skill, surface: SurfaceName) => Quote
  readonly quoteList: (type: PurchaseType, items: number, surface: SurfaceName) => Promise<Quote>
}

export const singleOrder = (skill: Skill, surface: SurfaceName, { quote }: OrderQuotes): Order => ({
  ...{ shape: 'single', type: skill.id, surface },
  read: (json) => {
    const reading = readInput(skill, json)
    return reading.ok ? { ok: true, items: [{ skill, value: reading.value }] } : reading
  },
  quote: async () => quote(skill, surface),
})

export const listOrder = (skill: Skill, surface: SurfaceName, quotes: OrderQuotes): Order =>
  listsOf(skill.id, surface, (json) => readValues(skill, json), quotes)

export const mixedOrder = (skills: SkillRegistry, surface: SurfaceName, quotes: OrderQuotes): Order =>
  listsOf('mixed', surface, (json) => readItems(skills, json), quotes)

const listsOf = (
  type: PurchaseType,
  surface: SurfaceName,
  read: Order['read'],
  { quoteList }: OrderQuotes,
): Order => ({ shape: 'list', type, surface, read, quote: (items) => quoteList(type, items, surface) })
