/** The free answer to a greeting or an unclear order. */
import { type Message, Role } from '@a2a-js/sdk'
import { v4 as newId } from 'uuid'
import { PRICE_USD } from '../../../catalog/price.ts'
import type { Skill, SkillRegistry } from '../../../catalog/skill.ts'
import { groupDigits } from '../../../payments/networks/usdc.ts'
import { LONGEST_TEXT, type Unclear } from '../request/text/read-text-order.ts'
import { dataPart, textPart } from '../task/parts.ts'

export interface Understood {
  readonly reason: Unclear | 'not_ordered'
  readonly skill?: Skill
}

/** "no_type" is also the reason of a greeting. */
const REASONS: Readonly<Record<Understood['reason'], string>> = {
  no_type: 'No check was ordered: the message names no skill.',
  several_types: 'No check was ordered: the message names more than one skill. Send one message per check.',
  no_value: 'No check was ordered: the message holds no value.',
  several_values:
    'No check was ordered: more than one part of the text could be the value. Send one message per value.',
  not_ordered: 'No check was ordered: the text does not plainly ask for one.',
  unclear_value: 'No check was ordered: it is not clear where in the text the value begins and ends.',
  text_too_long: `No check was ordered: a text of more than ${groupDigits(LONGEST_TEXT)} characters is not read. Send the value in a data part.`,
  broken_data_part:
    'No check was ordered: the text begins like a data part in JSON but cannot be read as one.',
}

/** The message depends on what was understood and never on the value, so it checks nothing for free. */
export function helpRenderer(
  registry: SkillRegistry,
): (contextId: string, understood: Understood) => Message {
  const skills = registry.all.map(({ id }) => id)
  const list = registry.all.map((skill) => `- ${skill.id}: ${skill.summary}`)
  const [first] = registry.all

  return function help(contextId, { reason, skill }) {
    const example = exampleOf(skill ?? first)
    const named = skill === undefined ? [] : [`Understood: a check with the skill "${skill.id}".`]
    const text = [
      REASONS[reason],
      ...named,
      'This agent checks the form of an identifier. Skills:',
      ...list,
      `Price: USD ${PRICE_USD} per check in USDC, paid with x402. This answer is free.`,
      'To order a check, send one data part, with your value in place of the example:',
      JSON.stringify(example),
    ].join('\n')
    return {
      messageId: newId(),
      contextId,
      taskId: '',
      role: Role.ROLE_AGENT,
      parts: [textPart(text), dataPart({ reason, skills, priceUsd: PRICE_USD, example })],
      metadata: undefined,
      extensions: [],
      referenceTaskIds: [],
    }
  }
}

export function exampleOf(skill: Skill): {
  readonly skill: string
  readonly input: { readonly value: string }
} {
  return { skill: skill.id, input: skill.examples[0].input }
}
