import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ChainUnavailable } from '../../../src/payments/chain/chain-reader.ts'
import { createAccountShares } from '../../../src/payments/sale/limits/account-shares.ts'
import { eventually } from '../../support/eventually.ts'
import { type SaleBench, startSaleBench } from '../../support/sale-bench.ts'

describe('settlements of one payer under way', () => {
  let bench: SaleBench
  beforeEach(async () => {
    bench = await startSaleBench()
  })
  afterEach(() => bench.stop())

  /** Sells so many different calls at once; the facilitator holds what it is sent until the result is released. */
  async function sellAtOnce(balance: bigint, calls: number) {
    const buyer = await bench.buyer(balance)
    const signed = []
    while (signed.length < calls) signed.push((await buyer.sign()).rawPayment)
    const release = bench.facilitator.hold()
    const ends: string[] = []
    const sales = signed.map(async (rawPayment, index) => {
      const sale = await bench.sell(rawPayment, bench.call(`value ${index}`))
      ends.push(sale.kind === 'sold' ? 'sold' : sale.code)
    })
    return { buyer, release, sales: Promise.all(sales), ends }
  }

  test('are sent as far as the account covers them together', async () => {
    const { buyer, release, sales, ends } = await sellAtOnce(2_000n, 8)
    await eventually(() => ends.length + bench.facilitator.settled.length).toBe(8)
    expect(bench.facilitator.settled).toHaveLength(2)
    // Soon enough for when the others are over.
    expect(await bench.sell((await buyer.sign()).rawPayment, bench.call('one more'))).toEqual({
      ...{ kind: 'declined', code: 'too_many_requests', retryAfterSeconds: 2 },
    })
    release()
    await sales
    expect(ends.toSorted()).toEqual([...Array(2).fill('sold'), ...Array(6).fill('too_many_requests')])
    expect(await bench.charged()).toBe(2)
  })

  test('are all sent by an account that covers them', async () => {
    const { release, sales, ends } = await sellAtOnce(8_000n, 8)
    await eventually(() => bench.facilitator.settled.length).toBe(8)
    release()
    await sales
    expect(ends).toEqual(Array(8).fill('sold'))
  })

  test('are all sent while the node does not answer for the balance', async () => {
    bench.reader.balance = async () => {
      throw new ChainUnavailable('told to fail')
    }
    const { release, sales, ends } = await sellAtOnce(8_000n, 4)
    await eventually(() => bench.facilitator.settled.length).toBe(4)
    release()
    await sales
    expect(ends).toEqual(Array(4).fill('sold'))
  })
})

describe('shares of an account', () => {
  const setUp = (balance: bigint | null) => {
    const clock = { at: 0 }
    const shares = createAccountShares(() => clock.at)
    let asked = 0
    const take = (payer = 'payer') =>
      shares.take(payer, 1_000n, async () => {
        asked += 1
        return balance
      })
    return { clock, take, asked: () => asked }
  }

  test('one settlement alone asks for no balance, and further ones once in ten seconds', async () => {
    const { clock, take, asked } = setUp(5_000n)
    await take()
    expect(asked()).toBe(0)
    for (let others = 0; others < 2; others += 1) expect(await take()).not.toBeNull()
    clock.at = 9_999
    expect(await take()).not.toBeNull()
    expect(asked()).toBe(1)
    clock.at = 10_000
    expect(await take()).not.toBeNull()
    expect(asked()).toBe(2)
    expect(await take()).toBeNull()
    expect(await take('another')).not.toBeNull()
  })

  test('what is read counts for ten seconds from then, and not from the start', async () => {
    const { clock, take, asked } = setUp(5_000n)
    clock.at = 50_000
    for (let settlements = 0; settlements < 4; settlements += 1) await take()
    expect(asked()).toBe(1)
  })

  test('what is over is not taken from the next balance that is read', async () => {
    const { clock, take } = setUp(3_000n)
    const leaves = [await take(), await take(), await take()]
    for (const leave of leaves.slice(0, 2)) leave?.()
    clock.at = 10_000
    expect(await take()).not.toBeNull()
    expect(await take()).not.toBeNull()
    expect(await take()).toBeNull()
  })

  test('many at once ask one question together', async () => {
    const { take, asked } = setUp(5_000n)
    const shares = await Promise.all(Array.from({ length: 8 }, () => take()))
    expect(shares.filter((leave) => leave !== null)).toHaveLength(5)
    expect(asked()).toBe(1)
  })

  test('what is over makes room, and when all are over nothing is asked', async () => {
    const { take, asked } = setUp(1_000n)
    const leave = await take()
    expect(await take()).toBeNull()
    leave?.()
    expect(await take()).not.toBeNull()
    expect(asked()).toBe(1)
  })
})
