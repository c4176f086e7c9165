/** The schemas of `skill.json` and `examples.json`, checked at startup before anything is published from them. */
import type { Ajv2020, ValidateFunction } from 'ajv/dist/2020.js'
import { CHECK_TYPES } from '../checks/verdict.ts'
import type { Example, Skill, Words } from './skill.ts'
import { StartupError } from './startup-error.ts'

/** What of a skill its file says; the rest follows from its check and its schemas. */
export interface SkillFile
  extends Omit<
    Skill,
    'words' | 'ruleset' | 'inputSchema' | 'inputFault' | 'outputSchema' | 'examples' | 'markdown' | 'check'
  > {
  readonly words: Omit<Words, 'labels'>
}

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

const SKILL_FILE = object({
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

const EXAMPLES_FILE = list(
  object({ title: words(120), input: object({ value: { type: 'string' } }), output: { type: 'object' } }),
  3,
)

/** Reads and checks the two files of every skill; both throw a {@link StartupError} that names the place. */
export interface SkillFileReader {
  skill(name: string, file: unknown): SkillFile
  examples(name: string, file: unknown): readonly Example[]
}

export function skillFileReader(compiler: Ajv2020): SkillFileReader {
  const skill = compiler.compile(SKILL_FILE)
  const examples = compiler.compile(EXAMPLES_FILE)
  return {
    skill: (name, file) => read<SkillFile>(skill, `skills/${name}/skill.json`, file),
    examples: (name, file) => read<readonly Example[]>(examples, `skills/${name}/assets/examples.json`, file),
  }
}

function read<T>(validate: ValidateFunction, path: string, file: unknown): T {
  if (validate(file)) return file as T
  const [error] = validate.errors ?? []
  throw new StartupError(`${path}: ${error?.instancePath || '/'} ${error?.message ?? 'is malformed'}`)
}
