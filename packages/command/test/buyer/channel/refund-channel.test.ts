/** What a buyer makes of each answer to its claim for the rest of a deposit. */
import {
  decodePaymentSignatureHeader,
  encodePaymentRequiredHeader,
  encodePaymentResponseHeader,
} from '@x402/core/http'
import { generatePrivateKey } from 'viem/accounts'
import { afterEach, expect, test } from 'vitest'
import { stubFetch, unstubFetch } from '../../../../../test/support/stub-fetch.ts'
import { type ChannelAccount, NoNode, type ReadChannel } from '../../../src/buyer/channel/channel-account.ts'
import { createChannelWallet } from '../../../src/buyer/channel/channel-wallet.ts'
import { refundChannel } from '../../../src/buyer/channel/refund-channel.ts'
import { channelOffer } from './channel-offer.ts'

afterEach(() => void unstubFetch())

const wallet = createChannelWallet(generatePrivateKey())
const URL_OF_SERVICE = 'https://checks.example/'
const ACCOUNT: ChannelAccount = { balance: 9_000n, charged: 7n, signed: 7n, pending: null }
const FACTS = { status: 402, code: 'said', detail: 'In words.' }

const problem = (status: number, headers = {}, code = 'said') =>
  Response.json({ code, detail: 'In words.' }, { status, headers })
const unpaid = (code: string, error = '') =>
  problem(402, { 'PAYMENT-REQUIRED': encodePaymentRequiredHeader({ ...channelOffer(), error }) }, code)
const outOfStep = () => unpaid('channel_out_of_step')
const refund = (amount?: string) => {
  const settlement = { success: true, transaction: '0x1', network: 'eip155:8453', ...(amount && { amount }) }
  return Response.json(
    {},
    { headers: { 'PAYMENT-RESPONSE': encodePaymentResponseHeader(settlement as never) } },
  )
}

interface Scene {
  /** The answer to the request without a payment. */
  readonly offer?: () => Response
  /** The answers to the payments; the last one is repeated. */
  readonly answers?: readonly (() => Response)[]
  /** What the book has. */
  readonly account?: Partial<ChannelAccount> | null
  readonly readChannel?: ReadChannel
}

/** The outcome, the sums of the vouchers that were sent, and what the book has at the end. */
async function refunding({ offer = outOfStep, answers = [refund], account = {}, readChannel }: Scene) {
  const vouchers: string[] = []
  const queue = [...answers]
  stubFetch(async (_url: URL, init: RequestInit) => {
    const payment = new Headers(init.headers).get('PAYMENT-SIGNATURE')
    if (payment === null) return offer()
    const { voucher } = decodePaymentSignatureHeader(payment).payload as { voucher: Record<string, string> }
    vouchers.push(String(voucher.maxClaimableAmount))
    return ((queue.length > 1 ? queue.shift() : queue[0]) ?? refund)()
  })
  let kept = account === null ? null : { ...ACCOUNT, ...account }
  const outcome = await refundChannel(URL_OF_SERVICE, null, {
    wallet,
    book: {
      find: () => kept,
      write: (_id, next) => {
        kept = next
      },
      callKey: () => '',
    },
    readChannel: readChannel ?? (async () => ({ balance: 5_000n, totalClaimed: 7n })),
    backoff: { sends: 1, sleep: async () => {} },
  })
  return { outcome, vouchers, kept }
}

test.each([
  ['2000', 2_000n, 7_000n],
  ['9000', 9_000n, 0n],
  ['9001', 9_001n, 0n],
  ['1', 1n, 8_999n],
  [undefined, 0n, 9_000n],
] as const)('a refund of %s is taken off the balance', async (named, amount, balance) => {
  const { outcome, vouchers, kept } = await refunding({ answers: [() => refund(named)] })
  expect(outcome).toEqual({ kind: 'refunded', amount, transaction: '0x1' })
  expect(vouchers).toEqual(['7'])
  expect(kept).toEqual({ ...ACCOUNT, balance })
})

test.each<[string, Scene, object]>([
  ['no channels', { offer: () => problem(404) }, { kind: 'no_channel' }],
  ['a page that is not found', { offer: () => new Response('<p>', { status: 404 }) }, { kind: 'no_channel' }],
  ['an answer for free', { offer: () => refund() }, { kind: 'no_channel' }],
  [
    'terms that this buyer does not accept',
    {
      offer: () =>
        problem(402, { 'PAYMENT-REQUIRED': encodePaymentRequiredHeader({ ...channelOffer(), accepts: [] }) }),
    },
    { kind: 'no_channel' },
  ],
  ['a refusal at once', { offer: () => problem(403) }, { kind: 'refused', ...FACTS, status: 403 }],
  ['a failure at once', { offer: () => problem(503) }, { kind: 'refused', ...FACTS, status: 503 }],
  ['a refusal', { answers: [() => problem(409)] }, { kind: 'refused', ...FACTS, status: 409 }],
  ['no certain answer', { answers: [() => problem(503)] }, { kind: 'unanswered', ...FACTS, status: 503 }],
  [
    'nothing to pay back',
    { answers: [() => unpaid('said', 'invalid_batch_settlement_evm_refund_no_balance')] },
    { kind: 'nothing_left' },
  ],
  [
    'a reason in its terms',
    { answers: [() => unpaid('said', 'said: one for each voucher')] },
    { kind: 'refused', ...FACTS, detail: 'one for each voucher' },
  ],
  [
    'terms that give another reason',
    { answers: [() => unpaid('said', 'other: one for each voucher')] },
    { kind: 'refused', ...FACTS },
  ],
  [
    'a channel that is empty',
    { answers: [outOfStep], readChannel: async () => ({ balance: 0n, totalClaimed: 7n }) },
    { kind: 'nothing_left' },
  ],
])('a service with %s', async (_what, scene, expected) => {
  expect((await refunding(scene)).outcome).toEqual(expected)
})

test('a service that does not answer is not reached', async () => {
  const offer = () => {
    throw new TypeError('reset')
  }
  expect((await refunding({ offer })).outcome).toEqual({ kind: 'unreachable', url: URL_OF_SERVICE })
})

test('a channel that no node tells of', async () => {
  const readChannel = () => Promise.reject(new NoNode('no node answered'))
  expect((await refunding({ account: null, readChannel })).outcome).toEqual({ kind: 'no_node' })
})

test('a channel that the book does not have is asked for with a voucher over nothing', async () => {
  const { outcome, vouchers, kept } = await refunding({ account: null, answers: [() => refund('2000')] })
  expect([outcome.kind, vouchers]).toEqual(['refunded', ['0']])
  expect(kept).toEqual({ balance: 3_000n, charged: 0n, signed: 0n, pending: null })
})

test.each<[string, Scene, string[]]>([
  [
    'a sum above what is signed',
    {
      account: { charged: 7n, signed: 7n },
      readChannel: async () => ({ balance: 5_000n, totalClaimed: 8n }),
    },
    ['7', '0'],
  ],
  [
    'a sum above the smallest that is signed',
    {
      account: { charged: 1n, signed: 1n },
      readChannel: async () => ({ balance: 5_000n, totalClaimed: 8n }),
    },
    ['1', '0'],
  ],
  [
    'a sum above nothing',
    {
      account: { charged: 0n, signed: 0n },
      readChannel: async () => ({ balance: 5_000n, totalClaimed: 8n }),
    },
    ['0'],
  ],
  ['the sum that the book has', {}, ['7', '0', '7']],
  [
    'another sum each time, of the last unit',
    {
      account: { charged: 4n, signed: 7n },
      readChannel: ((claimed) => async () => ({ balance: 1n, totalClaimed: claimed.shift() ?? 7n }))([
        5n,
        6n,
        7n,
      ]),
    },
    ['4', '5', '6'],
  ],
])('a service that corrects each voucher, by %s, proves nothing', async (_what, scene, sums) => {
  const { outcome, vouchers } = await refunding({ ...scene, answers: [outOfStep] })
  expect(outcome).toEqual({ kind: 'not_proven' })
  expect(vouchers).toEqual(sums)
})

test('what a service proves is in the book, whatever comes after', async () => {
  const account = { charged: 4n }
  const { kept } = await refunding({ account, answers: [outOfStep, () => problem(409)] })
  expect(kept).toEqual({ ...ACCOUNT, balance: 5_000n, charged: 7n })
})
