import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sumTreasury } from '../../../src/ledger/treasury/treasury-row.ts'
import { type ChannelBench, startChannelBench } from '../../support/channel-bench.ts'

type Buyer = ReturnType<ChannelBench['buyer']>

/** An act costs as much as two calls bring in; sales may lose ten acts a day, so that five are given on credit. */
const ACCOUNT = { cost: 2_000n, most: 26_666n } as const

let bench: ChannelBench
beforeEach(async () => {
  bench = await startChannelBench(ACCOUNT)
})
afterEach(() => bench.stop())

const refund = async (buyer: Buyer, amount?: string) => {
  const { payload } = await buyer.sign()
  const { channelConfig, voucher } = payload.payload as never as Record<string, Record<string, string>>
  const id = await buyer.id()
  const charged = (await bench.store.findChannel(id))?.charged ?? 0n
  const signature = (await bench.store.findChannel(id))?.signature
  const inner = {
    type: 'refund',
    channelConfig,
    voucher: { ...voucher, maxClaimableAmount: charged.toString(), signature },
    ...(amount === undefined ? {} : { amount }),
  }
  return bench.layer.channels?.refund({ kind: 'object', payload: { ...payload, payload: inner } })
}
const errorOf = (outcome: unknown) =>
  (
    outcome as { quote: { required(code: string): { error: string; accepts: { scheme: string }[] } } }
  ).quote.required('payment_refused')

describe('acts of a channel that the operator pays for', () => {
  test('a first deposit is on credit; a refund waits until the calls have paid for both', async () => {
    const buyer = bench.buyer()
    for (let calls = 1; calls <= 3; calls += 1) expect(await buyer.buy()).toMatchObject({ kind: 'sold' })
    for (const amount of [undefined, '100000']) {
      const refused = await refund(buyer, amount)
      expect(refused).toMatchObject({ kind: 'unpaid', code: 'payment_refused' })
      expect(errorOf(refused).error).toMatch(/^payment_refused: .*withdraw/)
    }
    expect(bench.contract.sent).toEqual(['deposit'])
    expect(await buyer.buy()).toMatchObject({ kind: 'sold' })
    expect(await refund(buyer)).toMatchObject({ kind: 'refunded', amount: 246_000n })
    expect(bench.contract.sent).toEqual(['deposit', 'refund'])
  })

  test('a part is paid back as long as the calls have paid for it, and then refused', async () => {
    const buyer = bench.buyer()
    for (let calls = 1; calls <= 5; calls += 1) await buyer.buy()
    expect(await refund(buyer, '1000')).toMatchObject({ kind: 'refunded', amount: 1_000n })
    await buyer.buy()
    expect(await refund(buyer, '1000')).toMatchObject({ kind: 'refunded', amount: 1_000n })
    await buyer.buy()
    expect(await refund(buyer, '1000')).toMatchObject({ kind: 'unpaid', code: 'payment_refused' })
    expect(sumTreasury(await bench.store.treasury('2026-11-20', '2026-11-20')).lost).toBe(2_000n)
  })

  test('of one address a few open on credit, of all as many as the credit lasts; single payments are named', async () => {
    const open = async (client: string) =>
      bench.sell(await bench.buyer().sign(), bench.call(undefined, client))
    const kinds = async (client: string) => (await open(client)).kind
    expect([await kinds('a'), await kinds('a'), await kinds('a'), await kinds('a')]).toEqual([
      'sold',
      'sold',
      'sold',
      'unpaid',
    ])
    expect([await kinds('b'), await kinds('c')]).toEqual(['sold', 'sold'])
    const refused = await open('d')
    expect(refused).toMatchObject({ kind: 'unpaid', code: 'payment_refused' })
    expect(errorOf(refused).accepts.map(({ scheme }) => scheme)).toEqual(['batch-settlement'])
    expect(errorOf(refused).error).toContain('Single payments are taken at /api/validate/iban.')
    expect(bench.contract.sent).toHaveLength(5)
    expect(sumTreasury(await bench.store.treasury('2026-11-20', '2026-11-20'))).toMatchObject({
      lost: 10_000n,
      credit: 10_000n,
    })
  })

  test('a payer who came back without having paid for the first deposit gets no second one', async () => {
    const { account } = bench.buyer()
    expect(await bench.buyer(account).buy()).toMatchObject({ kind: 'sold' })
    const again = await bench.buyer(account).buy()
    expect(again).toMatchObject({ kind: 'unpaid', code: 'payment_refused' })
    expect(bench.contract.sent).toEqual(['deposit'])
  })
})
