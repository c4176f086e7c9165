/** A published output schema as our own tests apply it: without members and words that it does not list. */
type Schema = Readonly<Record<string, unknown>>

export function closed(schema: Schema): Schema {
  const { examples, properties, items, anyOf, ...rest } = schema
  return {
    ...rest,
    ...(examples !== undefined && ((examples as []).length === 0 ? { not: {} } : { enum: examples })),
    ...(properties !== undefined && {
      properties: Object.fromEntries(
        Object.entries(properties as Record<string, Schema>).map(([name, each]) => [name, closed(each)]),
      ),
      additionalProperties: false,
    }),
    ...(items !== undefined && { items: closed(items as Schema) }),
    ...(anyOf !== undefined && { anyOf: (anyOf as readonly Schema[]).map(closed) }),
  }
}
