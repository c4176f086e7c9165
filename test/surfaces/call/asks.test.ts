import type { IncomingMessage } from 'node:http'
import { expect, it } from 'vitest'
import { CHANNELS_HEADER, CHANNELS_KEY, readAsks } from '../../../src/surfaces/call/asks.ts'

const withHeader = (value?: string) =>
  ({
    headers: value === undefined ? {} : { [CHANNELS_HEADER.toLowerCase()]: value },
  }) as unknown as IncomingMessage

it('a request asks for channels by its header, or by a member of its message', () => {
  expect(readAsks(withHeader('true'))).toEqual({ channels: true })
  expect(readAsks(withHeader(), { [CHANNELS_KEY]: true })).toEqual({ channels: true })
  for (const text of [undefined, '', '1', 'TRUE', 'false'])
    for (const metadata of [undefined, {}, { [CHANNELS_KEY]: 'true' }])
      expect(readAsks(withHeader(text), metadata)).toEqual({ channels: false })
})
