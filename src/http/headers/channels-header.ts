import type { IncomingMessage } from 'node:http'

/** The value "true" asks for the offer of payment channels beside that of a single payment. */
export const CHANNELS_HEADER = 'Format-Checker-Channels'

const NAME = CHANNELS_HEADER.toLowerCase()

export const asksForChannels = ({ headers }: IncomingMessage): boolean => headers[NAME] === 'true'
