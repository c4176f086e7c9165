import type { PaymentRequired, PaymentRequirements } from '@x402/core/types'
import { describe, expect, test } from 'vitest'
import { BASE_SEPOLIA } from '../../../../src/payments/networks/base-sepolia.ts'
import type { Pay, Reply } from '../../src/buyer/reply.ts'
import { offeredIn, termsInUsdc } from '../../src/buyer/signable-terms.ts'

const USDC: PaymentRequirements = {
  scheme: 'exact',
  network: 'eip155:8453',
  asset: '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913',
  amount: '1000',
  payTo: `0x${'44'.repeat(20)}`,
  maxTimeoutSeconds: 120,
  extra: { name: 'USD Coin', version: '2' },
}

const offer = (...accepts: Partial<PaymentRequirements>[]): PaymentRequired => ({
  x402Version: 2,
  resource: { url: 'https://checks.example', description: '', mimeType: 'application/json' },
  accepts: accepts.map((change) => ({ ...USDC, ...change })),
})

test('takes the cheapest terms', () => {
  expect(termsInUsdc(offer({ amount: '2000' }, {}, { amount: '10000' }))?.amount).toBe('1000')
})

test('takes terms of another network only if told to, and then no others', () => {
  const { id, token } = BASE_SEPOLIA
  const both = offer({}, { network: id as 'eip155:84532', asset: token.address, amount: '500' })
  expect(termsInUsdc(both)?.network).toBe(USDC.network)
  expect(termsInUsdc(both, BASE_SEPOLIA)?.network).toBe(id)
  expect(termsInUsdc(offer({}), BASE_SEPOLIA)).toBeUndefined()
  expect(termsInUsdc(offer({ network: id as 'eip155:84532' }), BASE_SEPOLIA)).toBeUndefined()
})

test.each<[string, Partial<PaymentRequirements>]>([
  ['in another token', { asset: `0x${'22'.repeat(20)}` }],
  ['on another network', { network: 'eip155:1' }],
  ['of another scheme', { scheme: 'upto' }],
  ['without a number', { amount: '-1' }],
  ['with a fraction', { amount: '0.5' }],
  ['with a number for its token', { asset: 5 as unknown as string }],
  ['with a list for its token', { asset: [USDC.asset] as unknown as string }],
  ['with a token in another notation', { asset: USDC.asset.replace('0x', '0X') }],
  ['to no address', { payTo: 'nowhere' }],
  ['to an address in another notation', { payTo: `ethereum:0x${'44'.repeat(20)}` }],
  ['for an approval of another contract', { extra: { ...USDC.extra, assetTransferMethod: 'permit2' } }],
  ['without the domain of the token', { extra: {} }],
  ['without extra', { extra: null as unknown as PaymentRequirements['extra'] }],
  ['that are valid for ten years', { maxTimeoutSeconds: 315_360_000 }],
  ['that are valid for a fraction', { maxTimeoutSeconds: 0.5 }],
  ['that are valid for words', { maxTimeoutSeconds: 'x' as unknown as number }],
])('does not sign terms %s', (_what, change) => {
  expect(termsInUsdc(offer(change))).toBeUndefined()
})

test.each([[null], [7], [{ ...offer({}), x402Version: 1 }]])('finds no terms in an offer: %j', (required) => {
  expect(termsInUsdc(required as unknown as PaymentRequired)).toBeUndefined()
})

test.each([[undefined], [null], [{}], [[null]], [['exact']]])('finds no terms in accepts: %j', (accepts) => {
  expect(termsInUsdc({ ...offer(), accepts } as unknown as PaymentRequired)).toBeUndefined()
})

test.each([
  ['1', true],
  ['9'.repeat(30), true],
  ['9'.repeat(31), false],
])('an amount of %s may be signed: %s', (amount, may) => {
  expect(termsInUsdc(offer({ amount })) !== undefined).toBe(may)
})

test.each([
  [3_600, true],
  [3_601, false],
])('an authorization that is valid for %i seconds may be signed: %s', (maxTimeoutSeconds, may) => {
  expect(termsInUsdc(offer({ maxTimeoutSeconds })) !== undefined).toBe(may)
})

test('the token may be written without its checksum', () => {
  const asset = USDC.asset.toLowerCase()
  expect(termsInUsdc(offer({ asset }))).toMatchObject({ asset })
})

describe('a reply to a request without a payment', () => {
  const unpaid = (required: PaymentRequired, pay?: Pay): Reply => ({
    ...{ kind: 'unpaid', status: 402, code: 'payment_required', detail: '', required },
    ...(pay && { pay }),
  })
  const [terms] = offer({}).accepts
  const pay: Pay = () => async () => unpaid(offer({}))

  test('offers terms for at most the price that the buyer set', () => {
    const required = offer({})
    expect(offeredIn(unpaid(required), { maxAmount: 1_000n })).toEqual({ kind: 'offered', required, terms })
    expect(offeredIn(unpaid(required), { maxAmount: 999n })).toEqual({ kind: 'price_too_high', terms })
    expect(offeredIn(unpaid(offer()), { maxAmount: 999n })).toEqual({ kind: 'price_too_high', terms: null })
  })

  test('may bring its own way to pay', () => {
    expect(offeredIn(unpaid(offer({}), pay), { maxAmount: 1_000n })).toMatchObject({ kind: 'offered', pay })
  })

  test('that answers for free is not of a service that sells', () => {
    const sold = { kind: 'sold', result: 'said', settlement: {} as never, replayed: false } as const
    expect(offeredIn(sold, { maxAmount: 1_000n })).toEqual({
      ...{ kind: 'refused', status: 200, code: 'unknown', detail: 'The service answered without payment.' },
    })
  })
})
