import type { Tool } from '@modelcontextprotocol/server'
import { PRICE, PRICE_USD } from '../../catalog/price.ts'
import type { Skill, SkillRegistry } from '../../catalog/skill.ts'
import { itemSchema, listSchema } from '../../catalog/validate-list.ts'
import type { Quote } from '../../payments/ports/sale.ts'
import { listOutputSchema, outputSchema } from './output-schema.ts'

export const LIST_TOOL = 'validate_batch'

export const toolsOf = (registry: SkillRegistry, quote: (skill: Skill, surface: 'mcp') => Quote): Tool[] => [
  ...registry.all.map((skill) => toolOf(skill, quote(skill, 'mcp'))),
  listTool(registry),
]

function toolOf(skill: Skill, quote: Quote): Tool {
  const [terms] = quote.required('payment_required').accepts
  return {
    name: skill.operationId,
    title: skill.title,
    description: `${skill.description} ${PRICE_SENTENCE}`,
    // Must have no pattern: arguments are validated before payment, so a pattern would check the value for free.
    inputSchema: { ...openSchema(skill), type: 'object' },
    outputSchema: outputSchema(skill),
    annotations: ANNOTATIONS,
    _meta: {
      x402: { paymentRequired: true, ...terms },
      'agents-x402/paymentRequired': true,
      'agents-x402/priceUSD': Number(PRICE_USD),
    },
  }
}

/** Members that a tool does not know are ignored. */
function openSchema({ inputSchema }: Skill): Skill['inputSchema'] {
  const { additionalProperties: _, ...open } = inputSchema
  return open
}

function listTool({ all }: SkillRegistry): Tool {
  const type = { type: 'string', description: all.map(({ id }) => id).join(', ') }
  const value = { type: 'string', maxLength: 512, description: 'The string to check.' }
  return {
    name: LIST_TOOL,
    title: 'Check a list of values',
    description: LIST_DESCRIPTION,
    inputSchema: { ...listSchema('items', itemSchema(type, value)), type: 'object' },
    outputSchema: listOutputSchema(),
    annotations: ANNOTATIONS,
    // No terms: the price depends on the call, and a wallet would sign those it finds here. Without "paymentRequired"
    // mcpc repeats a refused call without a payment.
    _meta: { x402: { paymentRequired: true }, 'agents-x402/paymentRequired': true },
  }
}

/** Not read-only: hosts run read-only tools without asking their user, and these cost money. */
const ANNOTATIONS = {
  readOnlyHint: false,
  idempotentHint: true,
  destructiveHint: false,
  openWorldHint: false,
}

const LIST_DESCRIPTION =
  'Checks 1 to 1,000 values of any of the types under one payment, and returns the results in order, each as the ' +
  `tool of its type returns it. Costs ${PRICE} in USDC per value, paid with x402, also for invalid values; the unpaid ` +
  'call returns the price of the whole list. Invalid arguments are free. At most 512 characters a value. No value is ' +
  'stored, logged or sent on.'

const PRICE_SENTENCE =
  `Costs ${PRICE} in USDC per call, paid with x402, also if the value is invalid; invalid arguments are free. ` +
  'At most 512 characters. The value is not stored, logged or sent on.'
