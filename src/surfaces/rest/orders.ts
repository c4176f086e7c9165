/** What can be ordered over REST: a single value, a list of one type, a list of several. */
import type { PurchaseType } from '../../ledger/payment-row.ts'
import { type Quote, singleCall, type ValueCall } from '../../payments/ports/sale.ts'
import type { Skill, SkillRegistry } from '../../skills/skill.ts'
import { readInput } from '../../skills/validate-input.ts'
import { type ListReading, readItems, readValues } from '../../skills/validate-list.ts'
import { endpointOf, LIST_SUFFIX, MIXED_LIST_PATH } from './endpoints.ts'
import { BODY_LIMIT, type InputReader, LIST_BODY_LIMIT } from './read-request.ts'

export interface Order<Input> {
  readonly route: string
  readonly type: PurchaseType
  readonly bodyLimit: number
  readonly read: InputReader<Input>
  readonly call: (input: Input, client: string) => ValueCall
  /** The quote for so many values; looked up for each request, since quotes are renewed before their offers end. */
  readonly quote: (items: number) => Promise<Quote>
}

export interface OrderQuotes {
  readonly quote: (skill: Skill, surface: 'rest') => Quote
  readonly quoteList: (type: PurchaseType, items: number, surface: 'rest') => Promise<Quote>
}

/** One value, checked by one skill. */
export const singleOrder = (skill: Skill, { quote }: OrderQuotes): Order<string> => ({
  route: endpointOf(skill),
  type: skill.id,
  bodyLimit: BODY_LIMIT,
  read: (json) => {
    const reading = readInput(skill, json)
    return reading.ok ? { ok: true, input: reading.value } : reading
  },
  call: (value, client) => singleCall({ skill, surface: 'rest', value, client }),
  quote: async () => quote(skill, 'rest'),
})

/** Values of one type under one payment. */
export const listOrder = (skill: Skill, quotes: OrderQuotes): Order<ValueCall['items']> => ({
  ...listsOf(skill.id, (json) => readValues(skill, json), quotes),
  route: `${endpointOf(skill)}${LIST_SUFFIX}`,
})

/** Values of several types under one payment. */
export const mixedOrder = (skills: SkillRegistry, quotes: OrderQuotes): Order<ValueCall['items']> => ({
  ...listsOf('mixed', (json) => readItems(skills, json), quotes),
  route: MIXED_LIST_PATH,
})

const listsOf = (
  type: PurchaseType,
  read: (json: unknown) => ListReading,
  { quoteList }: OrderQuotes,
): Omit<Order<ValueCall['items']>, 'route'> => ({
  type,
  bodyLimit: LIST_BODY_LIMIT,
  read: (json) => {
    const reading = read(json)
    return reading.ok ? { ok: true, input: reading.items } : reading
  },
  call: (items, client) => ({ kind: 'value', shape: 'list', type, items, surface: 'rest', client }),
  quote: (items) => quoteList(type, items, 'rest'),
})
