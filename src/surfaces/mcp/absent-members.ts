import { isObject, type JsonObject } from '../../values/json.ts'

interface Shape {
  readonly optional: readonly string[]
  readonly inside?: Readonly<Record<string, Shape>>
}

const IMPLEMENTATION: Shape = { optional: ['title', 'description', 'websiteUrl', 'icons'] }
const CAPABILITIES: Shape = {
  optional: ['experimental', 'roots', 'sampling', 'elicitation', 'tasks', 'extensions'],
}
const META: Shape = {
  optional: ['progressToken', 'x402/payment'],
  inside: {
    'io.modelcontextprotocol/clientInfo': IMPLEMENTATION,
    'io.modelcontextprotocol/clientCapabilities': CAPABILITIES,
  },
}
const PARAMS: Shape = {
  optional: ['_meta', 'arguments', 'cursor', 'reason', 'message', 'total'],
  inside: { _meta: META, clientInfo: IMPLEMENTATION, capabilities: CAPABILITIES },
}
const MESSAGE: Shape = { optional: ['params'], inside: { params: PARAMS } }

/**
 * Some programs write absent members as null. Only those named here are left out: an id, a value or an item that is
 * null keeps its meaning.
 */
export function withoutNulls(object: JsonObject, { optional, inside = {} }: Shape = MESSAGE): JsonObject {
  const given = Object.entries(object).filter(([name, value]) => value !== null || !optional.includes(name))
  return Object.fromEntries(
    given.map(([name, value]) => {
      const shape = Object.hasOwn(inside, name) ? inside[name] : undefined
      return [name, isObject(value) && shape !== undefined ? withoutNulls(value, shape) : value]
    }),
  )
}
