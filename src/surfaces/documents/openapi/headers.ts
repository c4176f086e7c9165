import { RESPONSE_HEADERS } from '../../../http/headers/response-headers.ts'

type Table = typeof RESPONSE_HEADERS

export type HeaderName = {
  [Name in keyof Table]: Table[Name] extends { schema: object } ? Name : never
}[keyof Table]

export const sharedHeaders = Object.fromEntries(
  Object.entries(RESPONSE_HEADERS).flatMap(([name, of]) =>
    'schema' in of ? [[name, { description: of.description, schema: { type: 'string', ...of.schema } }]] : [],
  ),
)

export const headerRefs = (...names: readonly HeaderName[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]))
