/** The form of a skill's files: JSON Schemas of `skill.json` and `examples.json`. */
import { CHECK_TYPES } from '../../src/checks/verdict.ts'

/** One line of printable ASCII: the words go into signed documents and HTTP headers. */
const words = (maxLength: number) => ({
  type: 'string',
  minLength: 1,
  maxLength,
  pattern: '^[\\x20-\\x7e]+$',
})
const object = (properties: Record<string, unknown>) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
})
const list = (items: unknown, minItems = 1) => ({ type: 'array', items, minItems, uniqueItems: true })

/** Names as people write them, in any language. */
const names = list({ type: 'string', pattern: '^\\p{Ll}[\\p{Ll}\\d ]{1,60}$' }, 0)

export const SKILL_FILE = object({
  id: { enum: CHECK_TYPES },
  operationId: { type: 'string', pattern: '^validate_[a-z_]+$' },
  name: words(40),
  title: words(60),
  summary: words(160),
  description: words(450),
  tags: list({ type: 'string', pattern: '^[a-z0-9-]{2,30}$' }),
  aliases: list({ type: 'string', pattern: '^[a-z0-9-]{2,30}$' }),
  personal: words(60),
  words: object({
    orders: names,
    headings: names,
    sizes: list({ type: 'integer', minimum: 1, maximum: 64 }, 0),
  }),
  sources: list(
    object({
      title: words(200),
      edition: words(60),
      url: { type: 'string', pattern: '^https://[\\x21-\\x7e]+$' },
      date: { type: 'string', pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' },
      decides: words(120),
    }),
  ),
})

export const EXAMPLES_FILE = list(
  object({ title: words(120), input: object({ value: { type: 'string' } }), output: { type: 'object' } }),
  3,
)
