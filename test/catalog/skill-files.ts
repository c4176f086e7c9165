/** The form of `skill.json`, as a JSON Schema. */
/** One line of printable ASCII: the words go into signed documents and HTTP headers. */
const words = (maxLength: number) => ({
  type: 'string',
  minLength: 1,
  maxLength,
  pattern: '^[\\x20-\\x7e]+$',
})
const object = (properties: Record<string, unknown>, optional: Record<string, unknown> = {}) => ({
  type: 'object',
  properties: { ...properties, ...optional },
  required: Object.keys(properties),
  additionalProperties: false,
})
const list = (items: unknown, minItems = 1) => ({ type: 'array', items, minItems, uniqueItems: true })

/** Names as people write them, in any language. */
const names = list({ type: 'string', pattern: '^\\p{Ll}[\\p{Ll}\\d ]{1,60}$' }, 0)

const lines = list({ type: 'string', minLength: 1, pattern: '^[^\\n]+$' })

export const SKILL_FILE = object(
  {
    name: words(40),
    title: words(60),
    summary: words(160),
    description: words(450),
    tags: list({ type: 'string', pattern: '^[a-z0-9-]{2,30}$' }),
    personal: words(60),
    input: words(120),
    orders: names,
    headings: names,
    checked: lines,
    notChecked: lines,
    edgeCases: lines,
    examples: {
      type: 'object',
      minProperties: 3,
      propertyNames: words(120),
      additionalProperties: { type: 'string' },
    },
    mistakes: list({ type: 'string' }, 2),
    sources: list(
      object({
        title: words(200),
        edition: words(60),
        url: { type: 'string', pattern: '^https://[\\x21-\\x7e]+$' },
        date: { type: 'string', pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' },
        decides: words(120),
      }),
    ),
  },
  { privacy: lines.items },
)
