/** What can be ordered with a tool call: a single value, or a list of values of any types. */
import type { ErrorCode } from '../../errors.ts'
import type { PurchaseType } from '../../ledger/payment-row.ts'
import type { Items, Quote, ValueCall } from '../../payments/ports/sale.ts'
import type { Skill, SkillRegistry } from '../../skills/skill.ts'
import { readInput } from '../../skills/validate-input.ts'
import { readItems } from '../../skills/validate-list.ts'

export interface OrderQuotes {
  readonly quote: (skill: Skill, surface: 'mcp') => Quote
  readonly quoteList: (type: PurchaseType, items: number, surface: 'mcp') => Promise<Quote>
}

export type ArgumentsReading =
  | { readonly ok: true; readonly items: Items }
  /** `index` of the first item of a list that is out of form. */
  | { readonly ok: false; readonly code: ErrorCode; readonly index?: number }

export interface Order {
  readonly tool: string
  readonly type: PurchaseType
  readonly shape: ValueCall['shape']
  readonly read: (args: unknown) => ArgumentsReading
  /** The quote for so many values; looked up for each call, since quotes are renewed before their offers end. */
  readonly quote: (items: number) => Promise<Quote>
}

/** The only tool whose arguments may be longer than those of a single value. */
export const LIST_TOOL = 'validate_batch'

/** The orders by tool name. */
export function ordersOf(registry: SkillRegistry, quotes: OrderQuotes): ReadonlyMap<string, Order> {
  const orders = [...registry.all.map((skill) => singleOrder(skill, quotes)), listOrder(registry, quotes)]
  return new Map(orders.map((order) => [order.tool, order]))
}

const singleOrder = (skill: Skill, { quote }: OrderQuotes): Order => ({
  tool: skill.operationId,
  type: skill.id,
  shape: 'single',
  read: (args) => {
    const reading = readInput(skill, args)
    return reading.ok ? { ok: true, items: [{ skill, value: reading.value }] } : reading
  },
  quote: async () => quote(skill, 'mcp'),
})

const listOrder = (registry: SkillRegistry, { quoteList }: OrderQuotes): Order => ({
  tool: LIST_TOOL,
  type: 'mixed',
  shape: 'list',
  read: (args) => readItems(registry, args),
  quote: (items) => quoteList('mixed', items, 'mcp'),
})
