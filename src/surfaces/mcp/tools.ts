/** The tools as listed, one per check, computed once at start. */
import type { Tool } from '@modelcontextprotocol/server'
import type { Quote } from '../../payments/sale.ts'
import { PRICE, PRICE_USD } from '../../skills/price.ts'
import type { Skill } from '../../skills/skill.ts'
import { outputSchema } from './output-schema.ts'

/** A tool whose name is the skill's operation id; `terms` are those every call of it is quoted with. */
export function toolOf(skill: Skill, quote: Quote): Tool {
  const [terms] = quote.required('payment_required').accepts
  return {
    name: skill.operationId,
    title: skill.title,
    description: `${skill.description} ${PRICE_SENTENCE}`,
    // As loose as it is for everybody: arguments are judged before payment, so a pattern would give the answer away.
    inputSchema: { ...skill.inputSchema, type: 'object' },
    outputSchema: outputSchema(skill),
    annotations: { readOnlyHint: true, idempotentHint: true, destructiveHint: false, openWorldHint: false },
    _meta: {
      x402: { paymentRequired: true, ...terms },
      'agents-x402/paymentRequired': true,
      'agents-x402/priceUSD': Number(PRICE_USD),
    },
  }
}

const PRICE_SENTENCE = `Costs ${PRICE} in USDC per call, paid with x402; invalid arguments are free.`
