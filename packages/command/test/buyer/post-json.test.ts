import { afterEach, expect, test, vi } from 'vitest'
import { SURFACES } from '../../../../src/command-line/commands.ts'
import { stubFetch, unstubFetch } from '../../../../test/support/stub-fetch.ts'
import { refundChannel } from '../../src/buyer/channel/refund-channel.ts'
import { openClient } from '../../src/buyer/open-client.ts'

afterEach(() => {
  vi.restoreAllMocks()
  unstubFetch()
})

const URL_OF_NO_SERVICE = 'https://checks.example/'

/** How long each request may take that is sent meanwhile, in seconds. */
async function limitsOf(send: () => Promise<unknown>): Promise<number[]> {
  const limit = vi.spyOn(globalThis, 'setTimeout')
  stubFetch(() => Promise.reject(new TypeError('reset')))
  await send()
  return limit.mock.calls.map(([, milliseconds = 0]) => milliseconds / 1_000).filter((each) => each >= 10)
}

test.each([
  ...SURFACES.map((surface) => {
    const ask = async () => (await openClient(surface, URL_OF_NO_SERVICE, 'iban')).ask('x')
    return [surface, () => ask().catch(() => null)] as const
  }),
  ['refund', () => refundChannel(URL_OF_NO_SERVICE, null, {} as never)] as const,
])('%s waits longer than a settlement takes, and two minutes at most', async (_how, send) => {
  const limits = await limitsOf(send)
  expect(limits.length).toBeGreaterThan(0)
  for (const seconds of limits) {
    expect(seconds).toBeGreaterThan(30)
    expect(seconds).toBeLessThan(120)
  }
})
