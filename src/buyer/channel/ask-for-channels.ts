/** The header that asks for the offer of channels; test/buyer/channel/ask-for-channels.test.ts compares it with the service's. */
export const ASK_FOR_CHANNELS = { 'Format-Checker-Channels': 'true' } as const
