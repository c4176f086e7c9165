import type { IncomingMessage } from 'node:http'
import type { JsonObject } from '../../values/json.ts'

/** The header with which a request on any surface asks for the offer of payment channels, with the value "true". */
export const CHANNELS_HEADER = 'Format-Checker-Channels'
/** The same in the `_meta` of an MCP tool call or the metadata of an A2A message, with the value true. */
export const CHANNELS_KEY = 'format-checker/channels'

const NAME = CHANNELS_HEADER.toLowerCase()

/** What a request asks for beside its check; the same on every surface. */
export interface Asks {
  readonly channels: boolean
}

/** `metadata` of the protocol's message, if it has any. */
export const readAsks = ({ headers }: IncomingMessage, metadata: JsonObject = {}): Asks => ({
  channels: headers[NAME] === 'true' || metadata[CHANNELS_KEY] === true,
})
