/** Which accounts of a service a buyer takes over. */
import type { PaymentRequired } from '@x402/core/types'
import { signVoucher } from '@x402/evm/batch-settlement/client'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { expect, test } from 'vitest'
import { freshAccount } from '../../../../../test/support/chain-payments.ts'
import { NETWORK } from '../../../../../test/support/channel-chain.ts'
import type { ChannelAccount } from '../../../src/buyer/channel/channel-account.ts'
import { createChannelWallet } from '../../../src/buyer/channel/channel-wallet.ts'
import { correctAccount } from '../../../src/buyer/channel/correct-account.ts'

const key = generatePrivateKey()
const payer = privateKeyToAccount(key)
const wallet = createChannelWallet(key)
const TERMS = {
  scheme: 'batch-settlement',
  network: NETWORK,
  amount: '1000',
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  payTo: freshAccount().address,
  maxTimeoutSeconds: 120,
  extra: {
    name: 'USD Coin',
    version: '2',
    receiverAuthorizer: freshAccount().address,
    withdrawDelay: 86_400,
    minDeposit: '250000',
  },
} as const
const offered = (extra: object, terms: object = {}): PaymentRequired => ({
  resource: { url: 'https://checks.example/api/validate/iban' },
  x402Version: 2,
  accepts: [{ ...TERMS, ...terms, extra: { ...TERMS.extra, ...extra } }],
})
const own = wallet.channelOn(offered({}))
if (own === null) throw new Error('no channel')
const channel = own
const known = { balance: 250_000n, charged: 2_000n, signed: 3_000n, pending: null }
const onChain = { balance: 250_000n, totalClaimed: 1_000n }
const corrected = async (
  charged: string,
  signed: string,
  signer = payer,
  terms: object = {},
  account: ChannelAccount = known,
) => {
  const { signature } = await signVoucher(signer, channel.id, signed, NETWORK)
  const state = {
    channelState: { chargedCumulativeAmount: charged },
    voucherState: { signedMaxClaimable: signed, signature },
  }
  return correctAccount(account, offered(state, terms), { wallet, channel, readChannel: async () => onChain })
}

test('takes over what its own signature proves', async () => {
  expect(await corrected('9000', '9000')).toEqual({ ...known, charged: 9_000n, signed: 9_000n })
  expect(await corrected('2000', '3000')).toEqual({ ...known, charged: 2_000n })
})

test('takes over an older sum, and keeps in mind what it has signed since', async () => {
  expect(await corrected('2500', '2500')).toEqual({ ...known, charged: 2_500n })
})

test.each([
  ['what the contract has claimed', '1000', '9000'],
  ['the whole balance', '250000', '250000'],
])('takes over %s', async (_what, charged, signed) => {
  expect((await corrected(charged, signed))?.charged).toBe(BigInt(charged))
})

test.each([
  ['a signature of another key', '9000', '9000', freshAccount()],
  ['more than was signed', '9001', '9000', payer],
  ['less than the contract has claimed', '999', '9000', payer],
  ['more than the deposit on the chain', '250001', '250001', payer],
  ['a sum that is no number', 'much', '9000', payer],
  ['a sum in another notation', '0x2000', '9000', payer],
  ['no sum', '', '9000', payer],
])('refuses %s', async (_what, charged, signed, signer) => {
  expect(await corrected(charged, signed, signer)).toBeNull()
})

test.each<[string, object]>([
  ['a signed sum that is no number', { signedMaxClaimable: 'much' }],
  ['a signature of another form', { signature: '0x' }],
  ['a signature that no key can have made', { signature: `0x${'ff'.repeat(65)}` }],
])('refuses %s', async (_what, changed) => {
  const { signature } = await signVoucher(payer, channel.id, '9000', NETWORK)
  const required = offered({
    channelState: { chargedCumulativeAmount: '9000' },
    voucherState: { signedMaxClaimable: '9000', signature, ...changed },
  })
  const asked = { wallet, channel, readChannel: async () => onChain }
  expect(await correctAccount(known, required, asked)).toBeNull()
})

test('refuses the state of another channel', async () => {
  expect(await corrected('9000', '9000', payer, { payTo: freshAccount().address })).toBeNull()
})

test('without a voucher goes by the chain alone', async () => {
  const asked = { wallet, channel, readChannel: async () => onChain }
  expect(await correctAccount(known, offered({}), asked)).toEqual({ ...known, charged: 1_000n })
})

test('without a voucher takes no sum from the chain that it never signed', async () => {
  const claimed = (totalClaimed: bigint) =>
    correctAccount(known, offered({}), {
      ...{ wallet, channel, readChannel: async () => ({ balance: 250_000n, totalClaimed }) },
    })
  expect(await claimed(3_000n)).toEqual({ ...known, charged: 3_000n })
  expect(await claimed(3_001n)).toBeNull()
})

test.each([
  ['a part of it, with its own voucher', '2999', '3000', null],
  ['none of it', '2000', '3000', 2_000n],
  ['all of it', '3000', '3000', 3_000n],
  ['an older call that the book does not have', '2500', '2500', 2_500n],
])('a payment under way, of which is charged %s', async (_what, charged, signed, sum) => {
  const pending = { payload: {} as never, total: 3_000n, deposit: 0n, call: 'call' }
  const account = await corrected(charged, signed, payer, {}, { ...known, pending })
  expect(account?.charged ?? null).toBe(sum)
})

test.each([
  ['a longer delay than a day', { withdrawDelay: 86_401 }],
  ['no authorizer', { receiverAuthorizer: `0x${'0'.repeat(40)}` }],
  ['a transfer by permit', { assetTransferMethod: 'permit2' }],
  ['no name of the token', { name: undefined }],
])('opens no channel with %s', (_what, extra) => {
  expect(wallet.channelOn(offered(extra))).toBeNull()
})

test.each([
  315_360_000,
  1.5,
  '60',
])('opens no channel by an authorization that lives for %s seconds', (maxTimeoutSeconds) => {
  expect(wallet.channelOn(offered({}, { maxTimeoutSeconds } as never))).toBeNull()
})

test('opens no channel in another token or on another network', () => {
  expect(wallet.channelOn(offered({}, { asset: freshAccount().address }))).toBeNull()
  expect(wallet.channelOn(offered({}, { network: 'eip155:1' }))).toBeNull()
})
