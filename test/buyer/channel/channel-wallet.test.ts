/** What a payment over a channel says besides the signatures. */
import type { PaymentRequired } from '@x402/core/types'
import { generatePrivateKey } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { createChannelWallet } from '../../../src/buyer/channel/channel-wallet.ts'

const REQUIRED: PaymentRequired = {
  x402Version: 2,
  resource: {
    url: 'https://checks.example/api/validate/iban',
    description: 'IBAN',
    mimeType: 'application/json',
  },
  accepts: [
    {
      scheme: 'batch-settlement',
      network: 'eip155:8453',
      amount: '1000',
      asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
      payTo: '0x209693Bc6afc0C5328bA36FaF03C514EF312287C',
      maxTimeoutSeconds: 120,
      extra: {
        name: 'USD Coin',
        version: '2',
        receiverAuthorizer: '0x857b06519E91e3A54538791bDbb0E22373e36b66',
        withdrawDelay: 86_400,
      },
    },
  ],
  extensions: { bazaar: { info: { input: {} }, schema: {} } },
}

/** x402 version 2, 5.1.2: a client must include at least the information of the extensions it received. */
describe('a payment over a channel repeats the resource and the extensions of its offer', () => {
  const wallet = createChannelWallet(generatePrivateKey())
  const channel = wallet.channelOn(REQUIRED)
  if (channel === null) throw new Error('no channel')
  const { resource, extensions } = REQUIRED

  it.each([
    ['a voucher', () => wallet.sign(channel, 1_000n, 0n)],
    ['a deposit', () => wallet.sign(channel, 1_000n, 250_000n)],
    ['a refund', () => wallet.signRefund(channel, 1_000n, null)],
  ])('%s', async (_name, sign) => {
    expect(await sign()).toMatchObject({ x402Version: 2, resource, extensions })
  })

  it('and nothing that the offer does not have', async () => {
    const { extensions: _left, ...without } = REQUIRED
    const plain = wallet.channelOn(without)
    if (plain === null) throw new Error('no channel')
    expect(await wallet.sign(plain, 1_000n, 0n)).not.toHaveProperty('extensions')
  })
})
