import type { CallToolResult, Tool } from '@modelcontextprotocol/server'
import { PRICE } from '../../../../src/catalog/price.ts'
import type { Skill } from '../../../../src/catalog/skill.ts'
import { readCell } from '../../../../src/lists/read-cell.ts'
import { ANNOTATIONS, failed, PAYMENT, type Purse, payWithin } from './purse.ts'

/** The tool of a skill as this server lists it: it pays by itself, so no terms are shown. */
export function paidTool(skill: Skill): Tool {
  return {
    name: skill.operationId,
    title: skill.title,
    description: `${skill.description} Costs ${PRICE} in USDC per call, which this server pays.`,
    inputSchema: { ...skill.inputSchema, type: 'object' },
    outputSchema: {
      type: 'object',
      properties: { result: skill.outputSchema as object, payment: PAYMENT },
      required: ['result', 'payment'],
    },
    annotations: ANNOTATIONS,
  }
}

/** Pays for one call within the limits of the purse; nothing is signed for arguments the service would refuse. */
export async function callPaidTool(skill: Skill, value: unknown, purse: Purse): Promise<CallToolResult> {
  const cell = readCell(value ?? null)
  if (!cell.ok)
    return failed(`${cell.code}: "value" must be the identifier, as a string. Nothing was signed.`)
  return payWithin(purse, purse.maxPerValue, async (wallet) => {
    const outcome = await purse.buyer(skill).buy(cell.value, wallet)
    if (outcome.kind !== 'bought') return outcome
    const { verdict: result, ...rest } = outcome
    return { ...rest, result }
  })
}

/** Without a key the host gets the recorded answer of an example, or the price and the values of examples. */
export function answerWithoutKey(skill: Skill, value: unknown, fault: string): CallToolResult {
  const example = skill.examples.find(({ input }) => input.value === value)
  if (example === undefined) {
    const values = skill.examples.slice(0, 3).map(({ input }) => JSON.stringify(input.value))
    return failed(`${fault}. A check costs ${PRICE}. Recorded examples are free: ${values.join(', ')}.`)
  }
  const { output: result } = example
  return {
    content: [
      { type: 'text', text: JSON.stringify(result) },
      {
        type: 'text',
        text: `A recorded example, not charged. Any other value costs ${PRICE}, and needs a key.`,
      },
    ],
    structuredContent: { result, payment: { charged: false } },
  }
}
