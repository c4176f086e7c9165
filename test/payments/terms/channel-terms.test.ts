import { expect, test } from 'vitest'
import { channelTerms } from '../../../src/payments/terms/channel-terms.ts'
import { newChannel } from '../../ledger/channel-contract.ts'

test('a channel that only a wallet contract could sign for is not accepted', () => {
  const { config } = newChannel()
  const terms = channelTerms(
    { payTo: config.receiver, asset: config.token } as never,
    config.receiverAuthorizer,
  )
  expect(terms.accepts(config)).toBe(true)
  expect(terms.accepts({ ...config, payerAuthorizer: `0x${'00'.repeat(20)}` })).toBe(false)
})
