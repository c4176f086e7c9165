import type { JsonObject } from '../../values/json.ts'

/**
 * Asks, with the value true in the `_meta` of an MCP tool call or the metadata of an A2A message, for the terms of every
 * scheme, payment channels among them.
 */
export const ALL_SCHEMES_KEY = 'format-checker/channels'

export const asksForAllSchemes = (metadata: JsonObject = {}): boolean => metadata[ALL_SCHEMES_KEY] === true
