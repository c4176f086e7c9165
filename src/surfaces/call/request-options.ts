import type { JsonObject } from '../../values/json.ts'

/** Asks for the terms of every scheme, payment channels among them, in the `_meta` of an MCP tool call or the metadata of an A2A message, with the value true. */
export const ALL_SCHEMES_KEY = 'format-checker/channels'

export const asksForAllSchemes = (metadata: JsonObject = {}): boolean => metadata[ALL_SCHEMES_KEY] === true
