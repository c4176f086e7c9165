import { getAddress } from 'viem/utils'
import { expect, test } from 'vitest'
import type { ChannelConfig } from '../../../src/ledger/channels/channel-row.ts'
import { channelTerms } from '../../../src/payments/terms/channel-terms.ts'
import { newChannel } from '../../support/channel-rows.ts'

const { config } = newChannel()
const single = {
  ...{ scheme: 'exact', network: 'eip155:8453', payTo: config.receiver, amount: '1000' },
  extra: { name: 'USD Coin' },
}
const terms = channelTerms(
  { payTo: config.receiver, asset: config.token, amount: 1_000n, requirements: single } as never,
  { authorizer: { address: getAddress(config.receiverAuthorizer) } },
)

test('the offer of a channel is that of single payments under another scheme, with what a channel needs', () => {
  expect(terms.requirementsFor(2)).toEqual({
    ...single,
    ...{ scheme: 'batch-settlement', amount: '2000' },
    extra: {
      name: 'USD Coin',
      receiverAuthorizer: getAddress(config.receiverAuthorizer),
      ...{ withdrawDelay: 86_400, minDeposit: '250000' },
    },
  })
})

test('a channel is accepted whose receiver, authorizer, token and delay are ours', () => {
  const other = `0x${'77'.repeat(20)}` as const
  expect(terms.accepts(config)).toBe(true)
  const changes: Partial<ChannelConfig>[] = [
    { receiver: other },
    { receiverAuthorizer: other },
    { token: other },
    { withdrawDelay: config.withdrawDelay - 1 },
    { withdrawDelay: config.withdrawDelay + 1 },
  ]
  for (const change of changes) expect(terms.accepts({ ...config, ...change })).toBe(false)
})

test('a channel that only a wallet contract could sign for is not accepted', () => {
  expect(terms.accepts({ ...config, payerAuthorizer: `0x${'00'.repeat(20)}` })).toBe(false)
})

test.each([
  [1, 250_000n],
  [250, 250_000n],
  [251, 251_000n],
])('a deposit for a call of %d values is at least %d atomic units', (items, least) => {
  expect(terms.minDeposit(items)).toBe(least)
  const { amount, extra } = terms.requirementsFor(items)
  expect([amount, extra.minDeposit]).toEqual([String(items * 1_000), String(least)])
})
