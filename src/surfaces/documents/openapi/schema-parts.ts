import type { JsonSchema } from '../../../skills/skill.ts'

/** An object that is always sent with all its members. */
export const allRequired = <T extends { readonly properties: object }>(schema: T): JsonSchema => ({
  ...schema,
  required: Object.keys(schema.properties),
})

export const text = (description: string) => ({ type: 'string', description })

/** One of some words; the type is said too, since generators make `unknown` of an enumeration without one. */
export const oneWordOf = (words: readonly string[], description?: string) => ({
  type: 'string',
  enum: words,
  ...(description === undefined ? {} : { description }),
})
