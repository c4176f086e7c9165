import { expect, it } from 'vitest'
import { asksForChannels, CHANNELS_KEY } from '../../../src/surfaces/call/request-options.ts'

it('a message asks for channels by a member of its metadata', () => {
  expect(asksForChannels({ [CHANNELS_KEY]: true })).toBe(true)
  for (const metadata of [undefined, {}, { [CHANNELS_KEY]: 'true' }, { [CHANNELS_KEY]: 1 }])
    expect(asksForChannels(metadata)).toBe(false)
})
