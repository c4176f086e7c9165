import type { Quote } from '../ports/sale.ts'

/** In `_meta` of an MCP tool call or the metadata of an A2A message, with the value true: asks for the offer of channels. */
export const CHANNELS_KEY = 'format-checker/channels'

/** A quote as its client sees it: with the offer of channels if it asks for it and channels are on. */
export const quoteFor = (quote: Quote, asksForChannels: boolean): Quote =>
  (asksForChannels ? quote.withChannels : undefined) ?? quote
