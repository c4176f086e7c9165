import { type Message, Role } from '@a2a-js/sdk'
import { v4 as newId } from 'uuid'
import { PRICE_USD } from '../../../catalog/price.ts'
import type { Skill, SkillRegistry } from '../../../catalog/skill.ts'
import { groupDigits } from '../../../payments/networks/usdc.ts'
import { dataPart, textPart } from '../protocol/parts.ts'
import type { Mention } from '../text/find-mention.ts'
import { LONGEST_TEXT } from '../text/read-order.ts'
import { maskValue } from './mask-value.ts'

/** Our own: what a program reads of the answer, in the metadata of its message. */
const HELP_KEY = 'format-checker/help'

const PAID =
  'A payment that came with this message was not read. If you sent a payment with an order before, it may have been used: repeat that order unchanged, and do not sign again because of this answer. A payment for a task names the task in message.taskId; its contextId is not enough.'

/** The message depends on the types that the text names, and on the value by its mask alone, so it checks nothing for free. */
export function helpRenderer(
  registry: SkillRegistry,
): (contextId: string, mention: Mention, isPaid: boolean) => Message {
  const skills = registry.all.map(({ id }) => id)
  const [first, second = first] = registry.all

  function answerTo(mention: Mention): Answer {
    if (mention.kind === 'one') return suggest(mention)
    const form = mention.kind === 'none' ? formOf(first) : `${formOf(first)}\n${formOf(second)}`
    const words =
      mention.kind === 'none'
        ? `To order a check, send one line with the name of the type and the value, and nothing else, at most ${groupDigits(LONGEST_TEXT)} characters`
        : 'It names several types or values. To order a list, send one line for each value, with the name of its type, and nothing else'
    const lines = [
      'This agent checks the form of an identifier. Skills:',
      ...registry.all.map((skill) => `- ${skill.id}: ${skill.summary}`),
      `Price: USD ${PRICE_USD} per check in USDC, paid with x402.`,
      `${words}:`,
      form,
      `Or send a data part for each value, with the value put in: ${JSON.stringify(copyOf(first))}`,
    ]
    return { lines, form, parts: [] }
  }

  return function help(contextId, mention, isPaid) {
    const { lines, parts, ...said } = answerTo(mention)
    const text = [
      'This message bought nothing: it is no order. This answer is free.',
      ...(isPaid ? [PAID] : []),
      ...lines,
    ].join('\n')
    return {
      messageId: newId(),
      contextId,
      taskId: '',
      role: Role.ROLE_AGENT,
      parts: [textPart(text), ...parts.map(dataPart)],
      metadata: { [HELP_KEY]: { ...said, skills, priceUsd: PRICE_USD } },
      extensions: [],
      referenceTaskIds: [],
    }
  }
}

interface Answer {
  readonly lines: readonly string[]
  readonly form: string
  readonly skill?: string
  readonly value?: string
  /** What a client copies: data without a value. */
  readonly parts: readonly object[]
}

function suggest({ skill, value }: Extract<Mention, { kind: 'one' }>): Answer {
  const mask = value === undefined ? undefined : maskValue(skill, value)
  const lines = [
    `It may mean the order of one check with the skill "${skill.id}".`,
    ...(mask === undefined ? [] : [`Value: ${mask}`]),
    `Price: USD ${PRICE_USD} in USDC, paid with x402.`,
    'To order it, send this line and nothing else, with the value of your message:',
    formOf(skill),
    `Or send this data part, and put the value of your message in as "value": ${JSON.stringify(copyOf(skill))}`,
    'Without a value it is refused with value_missing, free of charge.',
  ]
  const said = { form: formOf(skill), skill: skill.id, ...(mask !== undefined && { value: mask }) }
  return { lines, ...said, parts: [copyOf(skill)] }
}

const formOf = ({ id }: Skill): string => `${id} <value>`

const copyOf = ({ id }: Skill) => ({ skill: id, input: {} })
