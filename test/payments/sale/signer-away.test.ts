import { afterEach, beforeEach, expect, test } from 'vitest'
import { SignerUnavailable } from '../../../src/payments/ports/signer.ts'
import { newReceiptKey, readReceiptKey } from '../../../src/receipts/receipt-key.ts'
import { rawPaymentOf } from '../../support/bench-buyer.ts'
import { type SaleBench, startSaleBench } from '../../support/sale-bench.ts'

const key = readReceiptKey(newReceiptKey())
let isAway: boolean
let defect: Error | undefined
let bench: SaleBench
beforeEach(async () => {
  isAway = false
  defect = undefined
  bench = await startSaleBench()
  const sign = async (input: string) => {
    if (defect !== undefined) throw defect
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

const listCall = () => {
  const call = bench.call()
  const [item] = call.items
  return { ...call, shape: 'list', items: [item, item, item] } as const
}

test('a list is quoted without a signed offer, and with one once the signer is back', async () => {
  const terms = async () => {
    const sale = await bench.sell({ kind: 'none' }, listCall())
    return sale.kind === 'unpaid' ? sale.quote.required('payment_required') : sale
  }
  isAway = true
  const both = await Promise.all([terms(), terms()])
  for (const unsigned of both) {
    expect(unsigned).toMatchObject({ accepts: [{ amount: '3000' }] })
    expect(unsigned).not.toHaveProperty('extensions')
  }
  isAway = false
  expect(await terms()).toMatchObject({
    accepts: [{ amount: '3000' }],
    extensions: { 'offer-receipt': expect.anything() },
  })
})

test('a defect of the signer is no doubt about a payment: it is thrown', async () => {
  defect = new Error('a defect')
  await expect(bench.sell({ kind: 'none' }, listCall())).rejects.toBe(defect)
})

test('an unpaid task of a list is not in doubt: it is held, shown and paid for like any other', async () => {
  const call = { ...listCall(), surface: 'a2a', task: { pendingOrder: '' } } as const
  isAway = true
  const held = await bench.layer.holdVerdict(call)
  if (held.kind !== 'withheld') throw new Error(held.code)
  const { taskId } = held
  expect(await bench.layer.tasks.read(taskId)).toMatchObject({ state: 'unpaid', quote: expect.anything() })
  const sealed = { kind: 'sealed', surface: 'a2a', client: 'c', taskId } as const
  const { payload } = await (await bench.buyer()).sign({ value: '3000' })
  const rawPayment = rawPaymentOf({ ...payload, accepted: { ...payload.accepted, amount: '3000' } })
  // Sent, but its receipt cannot be signed.
  expect(await bench.layer.sell(sealed, rawPayment)).toMatchObject({ code: 'payment_in_doubt' })
  expect(await bench.charged()).toBe(3)
  isAway = false
  expect(await bench.layer.tasks.read(taskId)).toMatchObject({ state: 'sold' })
})
