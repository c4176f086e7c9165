import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ChainUnavailable } from '../../../src/payments/chain/chain-reader.ts'
import { createNewPayers } from '../../../src/payments/sale/limits/new-payers.ts'
import { eventually } from '../../support/eventually.ts'
import { newPayment } from '../../support/payment-rows.ts'
import { type SaleBench, startSaleBench } from '../../support/sale-bench.ts'

let bench: SaleBench
beforeEach(async () => {
  bench = await startSaleBench()
})
afterEach(() => bench.stop())

const NO_FUNDS = { kind: 'unpaid', code: 'payment_insufficient_funds' }

describe('a payer who has paid nothing here yet', () => {
  test('is refused without the money, and no settlement of theirs is tried', async () => {
    const buyer = await bench.buyer(999n)
    const { rawPayment, nonce } = await buyer.sign()
    expect(await bench.sell(rawPayment)).toMatchObject(NO_FUNDS)
    expect(bench.facilitator.settled).toHaveLength(0)
    await expect(bench.row(buyer, nonce)).rejects.toThrow('no such row')
    await bench.chain.fund(buyer.address, 1n)
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold' })
    expect(await bench.charged()).toBe(1)
  })

  test('is shown the refusal as a settlement, except under a task, which can show the code alone', async () => {
    const buyer = await bench.buyer(0n)
    const sale = await bench.sell((await buyer.sign()).rawPayment)
    expect(sale).toMatchObject({
      ...NO_FUNDS,
      settlement: { success: false, errorReason: NO_FUNDS.code, payer: buyer.address },
    })
    const ofTask = await bench.layer.sell(bench.taskCall(), (await buyer.sign()).rawPayment)
    expect(ofTask).toMatchObject(NO_FUNDS)
    expect(ofTask).not.toHaveProperty('settlement')
  })

  test('is turned away after three refusals in a minute', async () => {
    const buyer = await bench.buyer(0n)
    for (let tries = 0; tries < 3; tries += 1)
      expect(await bench.sell((await buyer.sign()).rawPayment)).toMatchObject(NO_FUNDS)
    expect(await bench.sell((await buyer.sign()).rawPayment)).toMatchObject({ code: 'too_many_requests' })
  })

  test('is served when the node does not answer for the balance', async () => {
    bench.reader.balance = async () => {
      throw new ChainUnavailable('told to fail')
    }
    expect(await bench.sell((await (await bench.buyer()).sign()).rawPayment)).toMatchObject({ kind: 'sold' })
  })

  test('is not looked up again once one payment was settled, also by another process', async () => {
    const buyer = await bench.buyer()
    await bench.sell((await buyer.sign()).rawPayment)
    let looks = 0
    const balance = bench.reader.balance
    bench.reader.balance = (payer) => {
      looks += 1
      return balance(payer)
    }
    await bench.sell((await buyer.sign()).rawPayment, bench.call('second'))
    await bench.restart()
    await bench.sell((await buyer.sign()).rawPayment, bench.call('third'))
    expect(looks).toBe(0)
    expect(await bench.charged()).toBe(3)
  })
})

describe('the facilitator’s connections', () => {
  test('are left to payers who have paid, above three quarters', async () => {
    const [regular, newPayer] = [await bench.buyer(), await bench.buyer()]
    await bench.sell((await regular.sign()).rawPayment)
    const leaves = Array.from({ length: 192 }, () => bench.layer.context.newPayers.enter())
    const turnedAway = await newPayer.sign()
    expect(await bench.sell(turnedAway.rawPayment)).toMatchObject({ code: 'facilitator_unavailable' })
    await expect(bench.row(newPayer, turnedAway.nonce)).rejects.toThrow('no such row')
    expect(await bench.sell((await regular.sign()).rawPayment, bench.call('other'))).toMatchObject({
      kind: 'sold',
    })
    leaves[0]?.()
    expect(await bench.sell(turnedAway.rawPayment)).toMatchObject({ kind: 'sold' })
  })

  test('are taken while a new payer’s settlement is under way, and given back after it', async () => {
    const leaves = Array.from({ length: 191 }, () => bench.layer.context.newPayers.enter())
    const release = bench.facilitator.hold()
    const sale = bench.sell((await (await bench.buyer()).sign()).rawPayment)
    await eventually(() => bench.facilitator.settled.length).toBe(1)
    expect(bench.layer.context.newPayers.hasCapacity()).toBe(false)
    release()
    expect(await sale).toMatchObject({ kind: 'sold' })
    expect(bench.layer.context.newPayers.hasCapacity()).toBe(true)
    for (const leave of leaves) leave()
  })
})

test('a payer is asked for once in the store', async () => {
  let asked = 0
  const newPayers = createNewPayers({ hasSettled: async () => ++asked > 1 })
  const payment = newPayment()
  expect(await newPayers.includes(payment)).toBe(true)
  expect(await newPayers.includes(payment)).toBe(false)
  expect(await newPayers.includes(payment)).toBe(false)
  expect(asked).toBe(2)
})

test('a nonce is the next one of a payer who has paid once, until ten thousand others were seen', async () => {
  const newPayers = createNewPayers({ hasSettled: async () => true })
  const payment = newPayment()
  expect(newPayers.isNextOf(payment)).toBe(false)
  await newPayers.includes(payment)
  expect(newPayers.isNextOf(newPayment())).toBe(true)
  const again = newPayment()
  expect(newPayers.isNextOf(again)).toBe(true)
  for (let others = 0; others < 9_999; others += 1) newPayers.isNextOf({ ...again, nonce: `0x${others}` })
  expect(newPayers.isNextOf(again)).toBe(false)
  for (let others = 0; others < 10_000; others += 1) newPayers.isNextOf({ ...again, nonce: `0xa${others}` })
  expect(newPayers.isNextOf(again)).toBe(true)
})
