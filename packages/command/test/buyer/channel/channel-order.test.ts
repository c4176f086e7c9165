/** What a buyer signs next, and what it makes of each reply to a payment of its channel. */
import type { PaymentPayload } from '@x402/core/types'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { ChannelAccount } from '../../../src/buyer/channel/channel-account.ts'
import { nextPayment, noted, sendPending } from '../../../src/buyer/channel/channel-order.ts'
import type { OwnChannel } from '../../../src/buyer/channel/channel-wallet.ts'

const channel = {
  id: '0x01',
  price: 1_000n,
  minDeposit: 5_000n,
  terms: { maxTimeoutSeconds: 60 },
} as unknown as OwnChannel
const signing = { sign: async (_: OwnChannel, total: bigint, deposit: bigint) => ({ total, deposit }) }
const ACCOUNT: ChannelAccount = { balance: 9_000n, charged: 2_000n, signed: 2_000n, pending: null }

describe('the next payment', () => {
  const next = (account: object, deposit: bigint, price = 1_000n) =>
    nextPayment(
      { channel: { ...channel, price }, call: 'mine' },
      { wallet: signing as never },
      { ...ACCOUNT, ...account },
      { deposit, clock: undefined },
    )

  test.each([
    ['nothing while the balance covers it', { balance: 3_000n }, 9_000n, 1_000n, 0n],
    ['nothing while the balance covers it, however little it may', { balance: 3_000n }, 0n, 1_000n, 0n],
    ['the deposit once it does not', { balance: 2_999n }, 9_000n, 1_000n, 9_000n],
    ['no less than the service takes', { balance: 2_999n }, 5_000n, 1_000n, 5_000n],
    ['the deposit, if that is more than the price', { balance: 2_000n }, 9_000n, 7_000n, 9_000n],
  ])('deposits %s', async (_what, account, most, price, deposit) => {
    const total = 2_000n + price
    expect(await next(account, most, price)).toEqual({
      ...{ payload: { total, deposit }, total, deposit, call: 'mine' },
    })
  })

  test.each([
    ['the least deposit', 2_000n, 4_999n, 1_000n, 5_000n],
    ['the least deposit, however little is missing', 2_999n, 4_999n, 1_000n, 5_000n],
    ['the price', 2_000n, 6_999n, 7_000n, 7_000n],
  ])('is not signed where the deposit may not reach %s', async (_what, balance, deposit, price, needed) => {
    expect(await next({ balance }, deposit, price)).toEqual({ kind: 'deposit_too_small', needed })
  })
})

test('the highest sum that was ever signed stays in the book', () => {
  const write = vi.fn()
  const pending = { payload: {} as never, total: 3_000n, deposit: 0n, call: 'mine' }
  for (const [before, after] of [
    [2_999n, 3_000n],
    [3_001n, 3_001n],
  ] as const) {
    const next = noted({ book: { write } as never }, channel, { ...ACCOUNT, signed: before }, pending)
    expect(next).toEqual({ ...ACCOUNT, signed: after, pending })
    expect(write).toHaveBeenLastCalledWith('0x01', next)
  }
})

describe('a reply', () => {
  afterEach(() => void vi.useRealTimers())

  const expiring = (validBefore: number) => ({
    payload: { deposit: { authorization: { erc3009Authorization: { validBefore: String(validBefore) } } } },
  })
  const now = Math.floor(Date.now() / 1_000)
  const [VALID, JUST_OVER, LONG_OVER] = [now + 3_600, now - 60, now - 3_600].map(expiring)
  const refusal = { status: 402, code: 'payment_expired', detail: 'd' }
  const unpaid = { kind: 'unpaid', ...refusal, required: {}, pay: () => {} }
  const settledFor = (sum: string) => ({
    ...{ success: true, extra: { channelState: { chargedCumulativeAmount: sum } } },
  })

  /** What comes of a reply to a payment of 3,000 in all, and what was written down. */
  const send = async (reply: object, pending: { deposit?: bigint; payload?: object; call?: string } = {}) => {
    const written: ChannelAccount[] = []
    const parts = {
      wallet: { ...signing, channelOn: () => null },
      book: { write: (_: string, account: ChannelAccount) => written.push(account) },
      readChannel: async () => ({ balance: 77_000n, totalClaimed: 0n }),
    }
    const account = noted(parts as never, channel, ACCOUNT, {
      ...{ payload: VALID as never, total: 3_000n, deposit: 0n, call: 'mine', ...(pending as object) },
    })
    written.length = 0
    const order = { channel, call: 'mine', send: async (_: PaymentPayload) => reply as never }
    const outcome = await sendPending(order, parts as never, account)
    return { outcome, written }
  }
  const charged = (deposit = 0n) => ({
    ...{ balance: 9_000n + deposit, charged: 3_000n, signed: 3_000n, pending: null },
  })

  test('with an answer is booked once the answer is where it should be, with its deposit', async () => {
    const reply = { kind: 'sold', result: 'r', settlement: settledFor('3000'), replayed: false }
    const { outcome, written } = await send(reply, { deposit: 6_000n })
    expect(written).toEqual([])
    expect(outcome).toMatchObject({ kind: 'sold', result: 'r', replayed: false, account: charged(6_000n) })
    if ('settle' in outcome) outcome.settle()
    expect(written).toEqual([charged(6_000n)])
  })

  test.each([
    ['an earlier charge of this sum', '3000', charged()],
    ['the charge before, so that this payment is not used', '2000', { ...charged(), charged: 2_000n }],
  ])('that repeats the answer to %s', async (_what, sum, account) => {
    const reply = { kind: 'sold', result: 'r', settlement: settledFor(sum), replayed: true }
    expect((await send(reply)).outcome).toMatchObject({ kind: 'sold', account })
  })

  test('that refuses a voucher leaves nothing to send again, whatever its code', async () => {
    const { outcome, written } = await send(unpaid)
    expect(outcome).toEqual({ kind: 'refused', ...refusal })
    expect(written).toEqual([{ ...ACCOUNT, signed: 3_000n }])
  })

  test('that refuses a deposit which may still be taken keeps it for the next command', async () => {
    for (const deposit of [1n, 6_000n]) {
      const { outcome, written } = await send(unpaid, { deposit })
      expect(outcome).toEqual({ kind: 'refused', ...refusal })
      expect(written).toEqual([])
    }
  })

  test('is to a deposit that may be taken until the second of its end is over', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    for (const [seconds, kind] of [
      [0, 'refused'],
      [0.5, 'again'],
    ] as const) {
      vi.setSystemTime(1_000 * (now + seconds))
      const { outcome } = await send(unpaid, { deposit: 6_000n, payload: expiring(now) })
      expect([seconds, outcome.kind]).toEqual([seconds, kind])
    }
  })

  test('is to a deposit of another call that counts as open for five minutes more', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    for (const [seconds, kind] of [
      [300, 'deposit_under_way'],
      [300.5, 'again'],
    ] as const) {
      vi.setSystemTime(1_000 * (now + seconds))
      const { outcome } = await send(unpaid, { deposit: 1n, payload: expiring(now), call: 'theirs' })
      expect([seconds, outcome.kind]).toEqual([seconds, kind])
    }
  })

  test.each(['channel_out_of_step', 'payment_locked'])('that says %s and proves nothing', async (code) => {
    expect((await send({ ...unpaid, code })).outcome).toEqual({ kind: 'not_proven' })
  })

  test('that a deposit came too late lets another take its place; one for another reason does not', async () => {
    const late = { deposit: 6_000n, payload: JUST_OVER as object }
    for (const deposit of [1n, 6_000n])
      expect((await send(unpaid, { ...late, deposit })).outcome).toMatchObject({ kind: 'again' })
    expect((await send({ ...unpaid, code: 'payment_invalid' }, late)).outcome).toMatchObject({
      ...{ kind: 'refused', code: 'payment_invalid' },
    })
  })

  test.each([
    ['a voucher is given up', {}, { kind: 'again', account: { balance: 9_000n } }],
    ['a deposit that may be taken holds', { deposit: 6_000n }, { kind: 'deposit_under_way' }],
    [
      'one that a clock a little ahead would take holds',
      { deposit: 6_000n, payload: JUST_OVER as object },
      { kind: 'deposit_under_way' },
    ],
    [
      'one that ran out long ago is looked up on the chain',
      { deposit: 6_000n, payload: LONG_OVER as object },
      { kind: 'again', account: { balance: 77_000n, pending: null } },
    ],
  ])('that refuses what was signed for another call: %s', async (_what, pending, expected) => {
    expect((await send(unpaid, { ...pending, call: 'theirs' })).outcome).toMatchObject(expected)
  })

  test('that names no account is asked for it once, by a voucher over nothing', async () => {
    const other = { id: '0x02', terms: { extra: {} } }
    const sent: unknown[] = []
    const order = {
      ...{ channel, call: 'mine' },
      send: async (payload: PaymentPayload) => {
        sent.push(payload)
        return { ...unpaid, code: 'channel_out_of_step' } as never
      },
    }
    const parts = { wallet: { ...signing, channelOn: () => other }, book: { write: () => {} } }
    const pending = { payload: VALID as never, total: 3_000n, deposit: 0n, call: 'mine' }
    expect(await sendPending(order, parts as never, { ...ACCOUNT, pending })).toEqual({ kind: 'not_proven' })
    expect(sent).toEqual([VALID, { total: 0n, deposit: 0n }])
  })

  test('names what was charged, or leaves it open', async () => {
    const refused = {
      kind: 'refused',
      ...refusal,
      code: 'replay_window_over',
      settlement: settledFor('3000'),
    }
    const own = await send(refused)
    expect(own.outcome).toMatchObject({ kind: 'refused' })
    expect(own.written).toEqual([charged()])
    expect((await send(refused, { call: 'theirs' })).outcome).toMatchObject({
      ...{ kind: 'again', account: charged() },
    })
    expect((await send({ ...refused, code: 'other' })).outcome).toMatchObject({ kind: 'again' })
    for (const settlement of [settledFor('2999'), { ...settledFor('3000'), success: false }, undefined]) {
      const open = await send({ ...refused, settlement })
      expect(open.outcome).toMatchObject({ kind: 'refused' })
      expect(open.written).toEqual([])
    }
    expect((await send({ ...refused, kind: 'in_doubt' })).outcome).toMatchObject({ kind: 'unanswered' })
  })
})
