import { expect, it } from 'vitest'
import { PATHS } from '../../../../../src/surfaces/call/paths.ts'
import { CHANNEL_PATH } from '../../../src/buyer/channel/channel-parts.ts'

it('the address at which the buyer pays over channels is that of the service', () => {
  expect([CHANNEL_PATH, `${CHANNEL_PATH}/validate/`]).toEqual([PATHS.channel, PATHS.overChannel])
})
