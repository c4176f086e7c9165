import type { JsonSchema } from '../../../catalog/skill.ts'

export const jsonOf = (schema: JsonSchema, examples?: object) => ({
  'application/json': { schema, ...(examples && { examples }) },
})

export const allRequired = <T extends { readonly properties: object }>(schema: T): JsonSchema => ({
  ...schema,
  required: Object.keys(schema.properties),
})

export const text = (description: string) => ({ type: 'string', description })

/** An enumeration. It names the type too, because without it code generators make it `unknown`. */
export const oneWordOf = (words: readonly string[], description?: string) => ({
  type: 'string',
  enum: words,
  ...(description === undefined ? {} : { description }),
})
