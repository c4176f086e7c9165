/** What a payment over a channel says besides the signatures. */
import type { PaymentRequired } from '@x402/core/types'
import { generatePrivateKey } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { createChannelWallet } from '../../../src/buyer/channel/channel-wallet.ts'
import { channelOffer } from './channel-offer.ts'

const REQUIRED: PaymentRequired = {
  ...channelOffer(),
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

describe('a channel', () => {
  const wallet = createChannelWallet(generatePrivateKey())
  const opened = (extra: object = {}, terms: object = {}) => wallet.channelOn(channelOffer(extra, terms))

  it.each([
    ['250000', 250_000n],
    [undefined, 0n],
    ['much', 0n],
    [5, 0n],
  ])('whose least deposit is said to be %j opens with at least %s', (minDeposit, least) => {
    expect(opened({ minDeposit })).toMatchObject({ minDeposit: least, price: 1_000n })
  })

  it.each([86_399.5, '86400', null, -0.5])('with a delay of %j is not opened', (withdrawDelay) => {
    expect(opened({ withdrawDelay })).toBeNull()
  })

  it.each([0, 86_400])('with a delay of %i seconds is opened', (withdrawDelay) => {
    expect(opened({ withdrawDelay })).not.toBeNull()
  })

  it('with an authorizer of the lowest address is opened', () => {
    expect(opened({ receiverAuthorizer: `0x${'0'.repeat(39)}1` })).not.toBeNull()
  })

  it.each([[undefined], [{}], [[]], [[null, 'x']]])('is not found in the offer %j', (accepts) => {
    expect(wallet.channelOn({ ...channelOffer(), accepts: accepts as never })).toBeNull()
  })

  it('is found after other terms', () => {
    const offer = channelOffer()
    const [terms] = offer.accepts
    const accepts = [null, { ...terms, scheme: 'exact' }, terms] as PaymentRequired['accepts']
    expect(wallet.channelOn({ ...offer, accepts })).toMatchObject({ terms })
  })

  it.each([
    [0n, 'voucher'],
    [1n, 'deposit'],
  ])('is paid with %s more by a payload of type %s', async (deposit, type) => {
    const channel = opened()
    if (channel === null) throw new Error('no channel')
    expect((await wallet.sign(channel, 1_000n, deposit)).payload).toMatchObject({ type })
  })

  it.each([
    [null, undefined],
    [9_000n, '9000'],
  ])('is paid back by %s, said as %s', async (amount, said) => {
    const channel = opened()
    if (channel === null) throw new Error('no channel')
    const { x402Version, payload } = await wallet.signRefund(channel, 1_000n, amount)
    expect([x402Version, payload.type, payload.amount]).toEqual([2, 'refund', said])
  })
})
