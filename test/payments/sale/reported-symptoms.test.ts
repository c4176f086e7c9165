/** What the log says of a settlement that did not go as it should. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { ChainUnavailable } from '../../../src/payments/chain/chain-reader.ts'
import { FacilitatorFault } from '../../../src/payments/facilitators/facilitator-fault.ts'
import type { RawPayment } from '../../../src/payments/ports/sale.ts'
import { rawPaymentOf } from '../../support/bench-buyer.ts'
import { type SaleBench, startSaleBench } from '../../support/sale-bench.ts'

let bench: SaleBench
beforeEach(async () => {
  bench = await startSaleBench()
})
afterEach(() => bench.stop())

/** The lines of one sale after this word of the facilitator, without time and request. */
async function linesAfter(says: () => unknown): Promise<object[]> {
  const { rawPayment } = await (await bench.buyer()).sign()
  bench.facilitator.script.push({ says })
  return linesOf(rawPayment)
}

async function linesOf(rawPayment: RawPayment): Promise<object[]> {
  const from = bench.logged.length
  await bench.sell(rawPayment)
  return bench.logged.slice(from).map((line) => {
    const { level: _, time: __, requestId: ___, ...said } = JSON.parse(line)
    return said
  })
}
const fault = (effect: 'not_sent' | 'unknown', status: number, answered: boolean) => () => {
  throw new FacilitatorFault(effect, 'settle was answered', { answered, symptom: { status } })
}
const failed = (errorReason: unknown, transaction?: string) => () => ({
  success: false,
  errorReason,
  errorMessage: 'a text of the facilitator',
  transaction,
  network: 'base',
})
const line = (event: string, symptom: object = {}) => [{ event, ...symptom, msg: 'sale' }]

test('is the HTTP status, where no settlement came with it', async () => {
  expect(await linesAfter(fault('unknown', 402, true))).toEqual(line('settlement_doubtful', { status: 402 }))
  expect(await linesAfter(fault('not_sent', 401, true))).toEqual(
    line('settlement_unconfirmed', { status: 401 }),
  )
  expect(await linesAfter(fault('not_sent', 0, false))).toEqual(
    line('facilitator_unavailable', { status: 0 }),
  )
})

test.each([
  'invalid_payload',
  'failed_to_execute_transfer',
  'settle_exact_failed',
])('is the reason %s of the facilitator', async (reason) => {
  expect(await linesAfter(failed(reason))).toEqual(line('settlement_doubtful', { code: reason }))
})

test.each<[string, unknown]>([
  ['a sentence', 'unable to estimate gas for 0xabc'],
  ['an object', { type: 'InsufficientFunds', message: 'text' }],
  ['an address', 'ab'.repeat(20)],
  ['a reason with an address', `invalid_payer_${'ab'.repeat(20)}`],
  ['a long one', 'invalid_'.repeat(40)],
])('is no word of a reason that is %s', async (_what, reason) => {
  expect(await linesAfter(failed(reason))).toEqual(line('settlement_doubtful', { code: 'other_reason' }))
})

test('is nothing where no reason is given', async () => {
  expect(await linesAfter(failed(undefined))).toEqual(line('settlement_doubtful'))
})

test('is that a success names another payment than this one', async () => {
  const success = () => ({ success: true, transaction: `0x${'ab'.repeat(32)}`, network: 'base' })
  expect(await linesAfter(success)).toEqual(
    line('settlement_doubtful', { code: 'success_of_another_payment' }),
  )
})

test('is what kept a facilitator from verifying', async () => {
  bench.reader.hasCode = async () => true
  bench.facilitator.verify = async () => fault('not_sent', 401, false)()
  const { payload } = await (await bench.buyer()).sign()
  const ofWallet = { ...payload.payload, signature: `0x${'ab'.repeat(100)}` }
  const rawPayment = rawPaymentOf({ ...payload, payload: ofWallet })
  expect(await linesOf(rawPayment)).toEqual(line('facilitator_unavailable', { status: 401 }))
})

test('is not said again where a repeat sends nothing, though the payment is in doubt still', async () => {
  const { rawPayment } = await (await bench.buyer()).sign()
  bench.facilitator.script.push({ says: fault('unknown', 502, false) })
  bench.reader.head = () => Promise.reject(new ChainUnavailable('down'))
  const unread = line('chain_unavailable')
  expect(await linesOf(rawPayment)).toEqual([...line('settlement_doubtful', { status: 502 }), ...unread])
  expect(await linesOf(rawPayment)).toEqual(unread)
  expect(await bench.sell(rawPayment)).toMatchObject({ code: 'payment_in_doubt' })
})
