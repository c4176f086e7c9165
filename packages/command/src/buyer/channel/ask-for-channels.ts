/** Asks a service to offer channels. packages/command/test/buyer/channel/ask-for-channels.test.ts compares it with the service's header. */
export const ASK_FOR_CHANNELS = { 'Format-Checker-Channels': 'true' } as const
