import { toHex } from 'viem'
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

test('a voucher is read as one, whatever else comes with it', () => {
  expect(changed('payload.type', 'voucher')).toMatchObject({ kind: 'voucher', refund: null })
  expect(changed('payload.type', 'voucher')).not.toHaveProperty('deposit')
})

const [UINT128, UINT256] = [2n ** 128n, 2n ** 256n]

test.each([
  ['payload.voucher.maxClaimableAmount', UINT128, String],
  ['payload.deposit.amount', UINT128, String],
  [`${AUTHORIZATION}.validAfter`, UINT128, String],
  [`${AUTHORIZATION}.validBefore`, UINT128, String],
  [`${AUTHORIZATION}.salt`, UINT256, String],
  [`${AUTHORIZATION}.salt`, UINT256, toHex],
] as const)('the largest number that the contract can hold is read, the next one is not: %s', (path, end, write) => {
  expect(changed(path, write(end - 1n))).not.toBeNull()
  expect(changed(path, write(end))).toBeNull()
  expect(changed(path, write(0n))).not.toBeNull()
})

test('the signature of a wallet contract has 65 to 4,096 bytes', () => {
  const ofBytes = (bytes: number) => changed(`${AUTHORIZATION}.signature`, `0x${'ab'.repeat(bytes)}`)
  expect([64, 65, 4_096, 4_097].map((bytes) => ofBytes(bytes) !== null)).toEqual([false, true, true, false])
  const whole = `0x${'ab'.repeat(65)}`
  for (const odd of [`${whole}a`, `x${whole}`, `${whole}x`, whole.slice(2)])
    expect(changed(`${AUTHORIZATION}.signature`, odd), odd).toBeNull()
})

test('what is written in capitals is read in lower case', () => {
  const capitals = (text: string) => `0x${text.slice(2).toUpperCase()}`
  const inCapitals = (json: unknown): unknown =>
    typeof json === 'string' && json.startsWith('0x')
      ? capitals(json)
      : typeof json === 'object' && json !== null
        ? Object.fromEntries(Object.entries(json).map(([name, value]) => [name, inCapitals(value)]))
        : json
  const { payload } = deposit
  expect(changed('payload', inCapitals(payload))).toEqual(changed('payload.type', 'deposit'))
})

test.each([
  ['payload.channelConfig.payer', '0x12'],
  ['payload.channelConfig.payerAuthorizer', 7],
  ['payload.channelConfig.receiver', null],
  ['payload.channelConfig.receiverAuthorizer', ''],
  ['payload.channelConfig.token', 'USDC'],
  ['payload.channelConfig.salt', '0x12'],
  ['payload.channelConfig.salt', 12],
  ['payload.channelConfig', []],
  ['payload.voucher.channelId', '0x12'],
  ['payload.voucher.channelId', 12],
  ['payload.voucher.signature', '0x12'],
  ['payload.voucher.signature', 12],
  ['payload.voucher', 'voucher'],
  [`${AUTHORIZATION}.signature`, 12],
  [`${AUTHORIZATION}.salt`, `0x${'0'.repeat(65)}`],
  [`${AUTHORIZATION}.salt`, '0'.repeat(79)],
  [`${AUTHORIZATION}.salt`, '0x'],
  [AUTHORIZATION, null],
  ['payload.deposit.authorization', null],
  ['payload.deposit', null],
  ['payload', null],
  ['x402Version', 1],
  ['accepted', null],
  ['accepted.network', 'eip155:1'],
  ['accepted.amount', 1_000],
])('a payment whose %s is %j is malformed', (path, value) => {
  expect(changed(path, value)).toBeNull()
})
