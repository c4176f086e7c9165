/** The free answer to a greeting or to anything that names no check: what there is, what it costs, how to ask. */
import { randomUUID } from 'node:crypto'
import { type Message, Role } from '@a2a-js/sdk'
import { PRICE_USD } from '../../../skills/price.ts'
import type { SkillRegistry } from '../../../skills/skill.ts'
import { dataPart, textPart } from '../task/render-task.ts'

/** Builds the help message, whose words are the same for everybody. */
export function helpRenderer(registry: SkillRegistry): (contextId: string) => Message {
  const example = exampleOf(registry)
  const text = [
    'This agent checks the form of an identifier. Skills:',
    ...registry.all.map((skill) => `- ${skill.id}: ${skill.summary}`),
    `Price: USD ${PRICE_USD} per check in USDC, paid with x402. This answer is free.`,
    'To order a check, send one data part:',
    JSON.stringify(example),
  ].join('\n')

  return function help(contextId) {
    return {
      messageId: randomUUID(),
      contextId,
      taskId: '',
      role: Role.ROLE_AGENT,
      parts: [
        textPart(text),
        dataPart({ skills: registry.all.map(({ id }) => id), priceUsd: PRICE_USD, example }),
      ],
      metadata: undefined,
      extensions: [],
      referenceTaskIds: [],
    }
  }
}

/** The first published example of the first skill, as a data part to copy. */
function exampleOf(registry: SkillRegistry): {
  readonly skill: string
  readonly input: { readonly value: string }
} {
  const [skill] = registry.all
  const value = skill?.examples[0]?.input.value
  if (skill === undefined || value === undefined) throw new Error('no skill has an example')
  return { skill: skill.id, input: { value } }
}
