import type { JsonObject } from '../../values/json.ts'

/** Asks for the offer of payment channels in the `_meta` of an MCP tool call or the metadata of an A2A message, with the value true. */
export const CHANNELS_KEY = 'format-checker/channels'

export const asksForChannels = (metadata: JsonObject = {}): boolean => metadata[CHANNELS_KEY] === true
