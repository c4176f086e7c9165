import { afterAll, beforeAll, expect, test } from 'vitest'
import { decodeChannelPayment } from '../../../src/payments/channels/voucher/decode-channel-payment.ts'
import { type ChannelBench, startChannelBench } from '../../support/channel-bench.ts'

let bench: ChannelBench
let deposit: Record<string, unknown>
beforeAll(async () => {
  bench = await startChannelBench()
  deposit = (await bench.buyer().sign()).payload as never
})
afterAll(() => bench.stop())

/** The deposit as the stock client signs it, with one member replaced. */
function changed(path: string, value: unknown) {
  const payment = structuredClone(deposit)
  const names = path.split('.')
  const last = names.pop() as string
  const holder = names.reduce((json, name) => json[name] as Record<string, unknown>, payment)
  expect(holder[last], path).toBeDefined()
  holder[last] = value
  return decodeChannelPayment(payment as never, 'eip155:8453')
}

test('a deposit of the stock client is read', () => {
  expect(changed('payload.type', 'deposit')).toMatchObject({ kind: 'deposit' })
})

const AUTHORIZATION = 'payload.deposit.authorization.erc3009Authorization'

// What hashes a number as a word of hexadecimal digits would hash a sign as well.
test.each([
  'payload.voucher.maxClaimableAmount',
  'payload.deposit.amount',
  `${AUTHORIZATION}.validAfter`,
  `${AUTHORIZATION}.validBefore`,
  `${AUTHORIZATION}.salt`,
])('a number that has a sign, a space, a fraction or too many bits is refused: %s', (path) => {
  for (const value of ['-1', '+1', ' 1', '1 ', '1.0', '1e3', '0x-1', '', `1${'0'.repeat(78)}`, -1, 1, null])
    expect(changed(path, value), String(value)).toBeNull()
})

test.each([-1, 1.5, 2 ** 40, '900', null])('a withdrawal delay of %j is refused', (value) => {
  expect(changed('payload.channelConfig.withdrawDelay', value)).toBeNull()
})

test('the longest withdrawal delay that the contract can hold is read', () => {
  expect(changed('payload.channelConfig.withdrawDelay', 2 ** 40 - 1)).not.toBeNull()
  expect(changed('payload.channelConfig.withdrawDelay', 0)).not.toBeNull()
})

test('a refund asks for an amount or for all that is left; nothing, and what is no number, is refused', () => {
  const refundOf = (amount?: unknown) =>
    changed('payload', { ...(deposit.payload as object), type: 'refund', amount })
  expect(refundOf()).toMatchObject({ kind: 'refund', refund: null })
  for (const amount of ['1', '250000'])
    expect(refundOf(amount)).toMatchObject({ kind: 'refund', refund: BigInt(amount) })
  for (const amount of ['0', '00', '', '-1', '1.0', '0x1', 1, null]) expect(refundOf(amount)).toBeNull()
})
