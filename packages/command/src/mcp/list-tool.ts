import type { CallToolResult, Tool } from '@modelcontextprotocol/server'
import { LIST_RESULT_SCHEMA, listResult } from '../../../../src/catalog/list-result.ts'
import { PRICE } from '../../../../src/catalog/price.ts'
import type { SkillRegistry } from '../../../../src/catalog/skill.ts'
import { MOST_ITEMS, readItems } from '../../../../src/catalog/validate-list.ts'
import { usdc } from '../../../../src/payments/networks/format-usdc.ts'
import { isObject } from '../../../../src/values/json.ts'
import { clockFault } from '../buyer/clocks.ts'
import type { TypedValue } from '../buyer/list-buyer.ts'
import { notBought } from '../buyer/not-bought.ts'
import { ANNOTATIONS, failed, PAYMENT, type Paid, type Purse, payWithin } from './purse.ts'

export const LIST_TOOL = 'validate_batch'

/** The tool for lists as this server lists it. It names the types, so that a model need not guess them. */
export function listTool({ all }: SkillRegistry, { maxPerList }: Purse): Tool {
  const type = { type: 'string', enum: all.map(({ id }) => id) }
  const value = { type: 'string', maxLength: 512, description: 'The string to check.' }
  const item = { type: 'object', properties: { type, value }, required: ['type', 'value'] }
  return {
    name: LIST_TOOL,
    title: 'Check a list of values',
    description:
      'Checks 1 to 1,000 values of any of the types with one payment, and returns the results in order. Costs ' +
      `${PRICE} in USDC per value, which this server pays, up to ${usdc(maxPerList)} a list. Leave repeated values out: ` +
      'each is charged.',
    inputSchema: {
      type: 'object',
      properties: { items: { type: 'array', minItems: 1, maxItems: MOST_ITEMS, items: item } },
      required: ['items'],
    },
    outputSchema: {
      type: 'object',
      properties: {
        result: { type: 'object', ...LIST_RESULT_SCHEMA },
        payment: PAYMENT,
      },
      required: ['result', 'payment'],
    },
    annotations: ANNOTATIONS,
  }
}

/** Pays for one list within the limits of the purse; nothing is signed for a list the service would refuse. */
export async function callListTool(
  skills: SkillRegistry,
  list: unknown,
  purse: Purse,
): Promise<CallToolResult> {
  const reading = readItems(skills, isObject(list) ? list : {})
  if (!reading.ok) return refused(reading.code, reading.index)
  const empty = reading.items.findIndex(({ value }) => value.trim() === '')
  if (empty >= 0) return refused('empty', empty)
  const items = reading.items.map(({ skill, value }): TypedValue => ({ type: skill.id, value }))
  const most = purse.maxPerValue * BigInt(items.length)
  if (most > purse.maxPerList) {
    return failed(
      `A list of ${items.length} may cost ${usdc(most)}, and the limit of its user is ${usdc(purse.maxPerList)} a list ` +
        '(--max-list). Nothing was signed. Send shorter lists.',
    )
  }
  return payWithin(purse, most, async (wallet) => {
    const quote = await purse.lists.quote(items)
    if (quote.kind !== 'quoted') return quote
    const fault = clockFault(quote)
    if (fault !== null) return fault
    const payload = await wallet.sign(quote.required, quote.terms)
    const reply = await purse.lists.send(items, payload)
    if (reply.kind === 'sold') {
      const { settlement, replayed } = reply
      return {
        kind: 'bought',
        result: listResult(reply.result),
        settlement,
        replayed,
        amount: String(quote.amount),
      }
    }
    return notBought(reply, payload, purse.url) satisfies Paid
  })
}

/** Names the item by its place, never by its value. */
const refused = (code: string, index: number | undefined): CallToolResult =>
  failed(
    `${code}${index === undefined ? '' : ` at items[${index}]`}: "items" must be a list of {"type", "value"}. ` +
      'Nothing was signed.',
  )
