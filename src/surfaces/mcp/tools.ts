/** The tools as listed, computed once at startup. */
import type { Tool } from '@modelcontextprotocol/server'
import type { Quote } from '../../payments/sale.ts'
import { PRICE, PRICE_USD } from '../../skills/price.ts'
import type { Skill } from '../../skills/skill.ts'
import { outputSchema } from './output-schema.ts'

/** A tool named after the skill's operation id, with the terms every call of it is quoted with. */
export function toolOf(skill: Skill, quote: Quote): Tool {
  const [terms] = quote.required('payment_required').accepts
  return {
    name: skill.operationId,
    title: skill.title,
    description: `${skill.description} ${PRICE_SENTENCE}`,
    // No pattern: arguments are validated before payment, so a pattern would answer the paid question for free.
    inputSchema: { ...skill.inputSchema, type: 'object' },
    outputSchema: outputSchema(skill),
    // Hosts approve read-only tools without asking, and this one spends money.
    annotations: { readOnlyHint: false, idempotentHint: true, destructiveHint: false, openWorldHint: false },
    _meta: {
      x402: { paymentRequired: true, ...terms },
      'agents-x402/paymentRequired': true,
      'agents-x402/priceUSD': Number(PRICE_USD),
    },
  }
}

const PRICE_SENTENCE =
  `Costs ${PRICE} in USDC per call, paid with x402, also if the value is invalid; invalid arguments are free. ` +
  'At most 512 characters. The value is not stored, logged or sent on.'
