import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { ChannelRow } from '../../../src/ledger/channels/channel-row.ts'
import { shownTo } from '../../../src/payments/channels/charge/corrected-terms.ts'
import type { Voucher } from '../../../src/payments/channels/voucher/decode-channel-payment.ts'
import type { RawPayment, Sale } from '../../../src/payments/ports/sale.ts'
import { freshAccount } from '../../support/chain-payments.ts'
import { type ChannelBench, GOOD_IBAN, startChannelBench } from '../../support/channel-bench.ts'

const OTHER = 'DE89 3704 0044 0532 0130 00'

let bench: ChannelBench
beforeEach(async () => {
  bench = await startChannelBench()
})
afterEach(() => bench.stop())

/** What a stranger reads in a claim's transaction: a channel's parameters and a voucher of it. */
type Public = { readonly channelConfig: object; readonly voucher: object }

async function claim(): Promise<void> {
  bench.layer.channels?.maintenance.claimSoon()
  expect(await bench.layer.channels?.maintenance.run()).toEqual({ claimed: 1, failed: 0 })
}

/** Pays with the payload of another payment, as a call or as a refund. */
const withVoucher = (
  { payload }: { payload: unknown },
  { channelConfig, voucher }: Public,
  more: object = { type: 'voucher' },
): RawPayment => ({
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

test('the sender of a voucher is shown its channel if it is over more than was claimed, or over nothing', () => {
  const row = { totalClaimed: 2n } as ChannelRow
  const isShown = (amount: bigint) => shownTo({ amount } as Voucher, row) === row
  expect([0n, 1n, 2n, 3n].map(isShown)).toEqual([true, false, false, true])
  expect(shownTo({ amount: 3n } as Voucher, null)).toBeNull()
})

describe('guesses at what the newest voucher bought, each from another address', () => {
  const GUESSES = 50
  const sameCode = (sale: Sale) => (sale.kind === 'sold' ? 'sold' : sale.code)

  /** A channel whose newest voucher is public; every stranger tried one value. */
  async function guessedAt() {
    const buyer = bench.buyer()
    const rawPayment = await buyer.sign()
    const sale = await bench.sell(rawPayment)
    await claim()
    const guess = (value: string, address: string, layer = bench.layer) =>
      layer.sell(bench.call(value, address), rawPayment)
    const other = await bench.replica()
    for (let tried = 0; tried < GUESSES; tried += 1)
      expect(
        await guess(`guess ${tried}`, `stranger ${tried}`, tried % 2 === 0 ? bench.layer : other),
      ).toMatchObject({
        code: tried < GUESSES - 1 ? 'payment_already_used' : 'payment_locked',
      })
    return { buyer, rawPayment, sale, guess }
  }

  test('are answered alike from then on, right or wrong, however often', async () => {
    const { guess } = await guessedAt()
    await bench.restart()
    const answers = async (value: string, address: string) => {
      const seen: unknown[] = []
      for (let again = 0; again < 8; again += 1) {
        const sale = await guess(value, address)
        seen.push([sameCode(sale), termsOf(sale), 'settlement' in sale])
      }
      return seen
    }
    const right = await answers(GOOD_IBAN, 'one')
    expect(right).toEqual(await answers(OTHER, 'another'))
    expect(right.map((answer) => (answer as string[])[0])).not.toContain('sold')
  })

  test('leave the buyer its answer: the next voucher for the same call gets it, and is not charged', async () => {
    const { buyer, sale } = await guessedAt()
    // The reply was lost, so the client signs the same voucher, and is corrected.
    for (let again = 0; again < 2; again += 1)
      expect(await buyer.buy()).toMatchObject({
        kind: 'sold',
        replayed: true,
        settlement: { extensions: sale.kind === 'sold' ? sale.settlement.extensions : null },
      })
    const id = await buyer.id()
    expect((await bench.store.findChannel(id))?.charged).toBe(1_000n)
    expect(await buyer.buy(OTHER)).toMatchObject({ kind: 'sold', replayed: false })
    expect((await bench.store.findChannel(id))?.charged).toBe(2_000n)
  })

  test('are counted from zero for the next voucher', async () => {
    const { buyer } = await guessedAt()
    const next = await buyer.sign()
    const first = await bench.sell(next, bench.call(OTHER))
    // The client did not know of the first charge.
    expect(await buyer.hear(next, first)).toBe(true)
    const rawPayment = await buyer.sign()
    expect(await bench.sell(rawPayment, bench.call(OTHER))).toMatchObject({ kind: 'sold', replayed: false })
    expect(await bench.sell(rawPayment, bench.call(OTHER))).toMatchObject({ kind: 'sold', replayed: true })
    expect(await bench.sell(rawPayment, bench.call('DE'))).toMatchObject({ code: 'payment_already_used' })
  })
})
