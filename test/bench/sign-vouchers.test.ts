import { randomBytes } from 'node:crypto'
import { BatchSettlementEvmScheme } from '@x402/evm/batch-settlement/client'
import { privateKeyToAccount, privateKeyToAddress } from 'viem/accounts'
import { expect, it } from 'vitest'
import { createChannelBooks, voucherRequests, voucherSigner } from '../../bench/load/sign-vouchers.ts'

const address = () => privateKeyToAddress(`0x${randomBytes(32).toString('hex')}`)

const required = {
  x402Version: 2,
  resource: { url: 'https://checks.example/api/validate/iban' },
  accepts: [
    {
      scheme: 'batch-settlement',
      network: 'eip155:8453',
      amount: '1000',
      asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
      payTo: address(),
      maxTimeoutSeconds: 120,
      extra: {
        name: 'USD Coin',
        version: '2',
        receiverAuthorizer: address(),
        withdrawDelay: 86_400,
        minDeposit: '250000',
      },
    },
  ],
} as const

it('the benchmark signs what the stock client signs', async () => {
  const key = randomBytes(32)
  const account = privateKeyToAccount(`0x${key.toString('hex')}`)
  const held = { chargedCumulativeAmount: '4000', balance: '250000', totalClaimed: '0' }
  const storage = { get: async () => held, set: async () => {}, delete: async () => {} }
  const scheme = new BatchSettlementEvmScheme(account, { storage })
  const { payload } = await scheme.createPaymentPayload(2, required.accepts[0])
  const { sign } = voucherSigner(required as never, { address: account.address, key })
  expect(sign(5_000n).payload).toEqual(payload)
})

it('the vouchers of a channel go on from one window to the next, as far as they were sent', () => {
  const books = createChannelBooks()
  const totalOf = (request: Buffer | undefined) => {
    const [, header = ''] = /PAYMENT-SIGNATURE: (\S+)/.exec(String(request)) ?? []
    return JSON.parse(Buffer.from(header, 'base64').toString()).payload.voucher.maxClaimableAmount
  }
  const options = { required: required as never, channels: 2, count: 4 }
  const first = voucherRequests(books, options, 2)
  expect([first(0), first(1), first(0)].map(totalOf)).toEqual(['1000', '1000', '2000'])
  const second = voucherRequests(books, options, 1)
  expect([second(0), second(0), second(0), second(0)].map(totalOf)).toEqual(['3000', '2000', '4000', '3000'])
  expect(second(0)).toBeUndefined()
})
