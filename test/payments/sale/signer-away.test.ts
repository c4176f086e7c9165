import { afterEach, beforeEach, expect, test } from 'vitest'
import { SignerUnavailable } from '../../../src/payments/ports/signer.ts'
import { newReceiptKey, readReceiptKey } from '../../../src/payments/signing/receipt-key.ts'
import { type SaleBench, startSaleBench } from '../../support/sale-bench.ts'

const key = readReceiptKey(newReceiptKey())
let isAway: boolean
let bench: SaleBench
beforeEach(async () => {
  isAway = false
  bench = await startSaleBench()
  const sign = async (input: string) => {
    if (isAway) throw new SignerUnavailable('away')
    return key.sign(input)
  }
  await bench.restart({ receiptKey: { ...key, sign } })
})
afterEach(() => bench.stop())

test('a receipt that cannot be signed after the settlement leaves the payment in doubt, and is made later', async () => {
  const { rawPayment } = await (await bench.buyer()).sign()
  isAway = true
  for (let tries = 0; tries < 2; tries += 1)
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'declined', code: 'payment_in_doubt' })
  expect(await bench.charged()).toBe(1)
  isAway = false
  expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold', replayed: true })
  expect(await bench.charged()).toBe(1)
})

test('a call without payment whose terms cannot be signed gets sales_paused, and is quoted later', async () => {
  const call = bench.call()
  const [item] = call.items
  const list = { ...call, shape: 'list', items: [item, item, item] } as const
  isAway = true
  expect(await bench.sell({ kind: 'none' }, list)).toMatchObject({ kind: 'declined', code: 'sales_paused' })
  const order = { ...list, surface: 'a2a', task: { memo: '' } } as const
  expect(await bench.layer.holdVerdict(order)).toMatchObject({ kind: 'declined', code: 'sales_paused' })
  isAway = false
  expect(await bench.sell({ kind: 'none' }, list)).toMatchObject({ kind: 'unpaid' })
})
