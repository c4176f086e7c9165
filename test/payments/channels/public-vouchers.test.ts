import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Proof, Sale } from '../../../src/payments/sale.ts'
import { freshAccount } from '../../support/chain-payments.ts'
import { type ChannelBench, startChannelBench } from '../../support/channel-bench.ts'

const OTHER = 'DE89 3704 0044 0532 0130 00'

let bench: ChannelBench
beforeEach(async () => {
  bench = await startChannelBench()
})
afterEach(() => bench.stop())

/** What a stranger reads in a claim's transaction: a channel's parameters and a voucher of it. */
type Public = { readonly channelConfig: object; readonly voucher: object }

async function claim(): Promise<void> {
  bench.layer.channels?.tending.claimSoon()
  expect(await bench.layer.channels?.tending.run()).toEqual({ claimed: 1, failed: 0 })
}

/** Pays with the payload of another payment, as a call or as a refund. */
const withVoucher = (
  { payload }: { payload: unknown },
  { channelConfig, voucher }: Public,
  more: object = { type: 'voucher' },
): Proof => ({
  kind: 'object',
  payload: { ...(payload as object), payload: { channelConfig, voucher, ...more } },
})

const partsOf = ({ payload }: { payload: { payload: Record<string, never> } }) =>
  payload.payload as unknown as Public

const termsOf = (sale: Sale | undefined) =>
  sale?.kind === 'unpaid' ? sale.quote.required(sale.code).accepts[0]?.extra : undefined

describe('a voucher that a claim has made public', () => {
  test('tells a stranger neither the newest voucher nor what was charged since', async () => {
    const buyer = bench.buyer()
    await buyer.buy()
    const old = await buyer.sign()
    await buyer.hear(old, await bench.sell(old))
    await claim()
    await buyer.buy(OTHER)
    const asCall = await bench.layer.sell(bench.call('GB', 'stranger'), withVoucher(old, partsOf(old)))
    const refund = { type: 'refund', amount: '1' }
    const asRefund = await bench.layer.channels?.refund(withVoucher(old, partsOf(old), refund))
    for (const answer of [asCall, asRefund as Sale]) {
      expect(answer).toMatchObject({ kind: 'unpaid', code: 'channel_out_of_step' })
      expect(termsOf(answer)).toBeDefined()
      expect(termsOf(answer)).not.toHaveProperty('channelState')
      expect(termsOf(answer)).not.toHaveProperty('voucherState')
    }
  })

  test('does not keep the stock client from going on: without its account, and with an older one', async () => {
    const account = freshAccount()
    const salt = `0x${'07'.repeat(32)}` as const
    const buyer = bench.buyer(account, salt)
    const older = bench.buyer(account, salt)
    const first = await buyer.sign()
    const sale = await bench.sell(first)
    await buyer.hear(first, sale)
    await older.hear(first, sale)
    for (let call = 0; call < 3; call += 1) await buyer.buy()
    await claim()
    for (let call = 0; call < 2; call += 1) await buyer.buy()
    expect(await bench.buyer(account, salt).buy()).toMatchObject({ kind: 'sold', replayed: false })
    // It reads the chain, and then learns what is not claimed.
    expect(await older.buy()).toMatchObject({ kind: 'unpaid', code: 'channel_out_of_step' })
    expect(await older.buy()).toMatchObject({ kind: 'sold', replayed: false })
    expect((await bench.store.findChannel(await buyer.id()))?.charged).toBe(8_000n)
  })
})
