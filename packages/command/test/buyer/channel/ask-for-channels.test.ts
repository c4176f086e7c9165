import { expect, it } from 'vitest'
import { CHANNELS_HEADER } from '../../../../../src/surfaces/call/asks.ts'
import { ASK_FOR_CHANNELS } from '../../../src/buyer/channel/ask-for-channels.ts'

it('the header that the buyer sends is the one that the service reads', () => {
  expect(Object.keys(ASK_FOR_CHANNELS)).toEqual([CHANNELS_HEADER])
})
