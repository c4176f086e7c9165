import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ChainUnavailable } from '../../../src/payments/chain/chain-reader.ts'
import { chargeKey } from '../../../src/payments/channels/channel-context.ts'
import { answerTask } from '../../../src/payments/channels/charge/write-charge.ts'
import {
  type ChannelPayment,
  decodeChannelPayment,
} from '../../../src/payments/channels/voucher/decode-channel-payment.ts'
import { freshAccount } from '../../support/chain-payments.ts'
import { type ChannelBench, startChannelBench } from '../../support/channel-bench.ts'

let bench: ChannelBench
beforeEach(async () => {
  bench = await startChannelBench()
})
afterEach(() => bench.stop())

const row = async (id: string) => {
  const found = await bench.store.findChannel(id)
  if (found === null) throw new Error('no such channel')
  return found
}

describe('calls over a channel', () => {
  test('a deposit opens it, then each voucher goes one price further, without the facilitator', async () => {
    const buyer = bench.buyer()
    for (let call = 1n; call <= 5n; call += 1n) {
      const sale = await buyer.buy()
      // The first one names the transaction of its deposit.
      const transaction = call === 1n ? `0x${'ab'.repeat(32)}` : ''
      expect(sale).toMatchObject({ kind: 'sold', replayed: false, rulesetChanged: false })
      expect(sale).toMatchObject({ settlement: { transaction } })
      expect(await row(await buyer.id())).toMatchObject({ charged: call * 1_000n, calls: Number(call) })
    }
    expect(bench.contract.sent).toEqual(['deposit'])
  })

  test('a call costs one write, and none of its value is in the store', async () => {
    const buyer = bench.buyer()
    await buyer.buy()
    const before = await row(await buyer.id())
    await buyer.buy()
    const after = await row(await buyer.id())
    expect(after.revision).toBe(before.revision + 1)
  })

  test('after a lost reply the identical voucher and call get the same answer, charged once', async () => {
    const buyer = bench.buyer()
    await buyer.buy()
    const rawPayment = await buyer.sign()
    const first = await bench.sell(rawPayment)
    // The reply is lost: the client does not hear, and signs the same voucher again.
    const again = await buyer.sign()
    expect(again.payload.payload).toEqual(rawPayment.payload.payload)
    await bench.restart()
    const second = await bench.sell(again)
    const functions = { delivered: expect.any(Function), json: expect.any(Function) }
    expect(second).toEqual({ ...first, replayed: true, ...functions })
    expect((await row(await buyer.id())).charged).toBe(2_000n)
    await buyer.hear(again, second)
    expect(await buyer.buy()).toMatchObject({ kind: 'sold', replayed: false })
    expect((await row(await buyer.id())).charged).toBe(3_000n)
  })

  test('a call without time is in doubt if its voucher has paid, and else told the next voucher', async () => {
    const late = await bench.replica({ waitMs: -1 })
    const buyer = bench.buyer()
    await buyer.buy()
    const rawPayment = await buyer.sign()
    const before = await late.sell(bench.call(), rawPayment)
    expect(before).toMatchObject({ kind: 'unpaid', code: 'channel_out_of_step' })
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold' })
    expect(await late.sell(bench.call(), rawPayment)).toMatchObject({ code: 'payment_in_doubt' })
  })

  test('"nothing was charged" is not said of a voucher that another replica has charged meanwhile', async () => {
    const rawPayment = await bench.buyer().sign()
    const other = await bench.replica()
    const { reader } = bench.contract
    const { state } = reader
    reader.state = async () => {
      reader.state = state
      expect(await other.sell(bench.call(), rawPayment)).toMatchObject({ kind: 'sold' })
      throw new ChainUnavailable('the node is down')
    }
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold', replayed: true })
  })

  test.each([
    ['a store that fails', undefined],
    ['a defect', new Error('a defect')],
  ])('of %s at a repeat of what was charged only a doubt is said', async (_what, error) => {
    const buyer = bench.buyer()
    const rawPayment = await buyer.sign()
    await bench.sell(rawPayment)
    bench.faults.push({ method: 'noteVoucherRepeat', when: 'before', ...(error && { error }) })
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'declined', code: 'payment_in_doubt' })
    expect(bench.logged.join()).toContain('repeat_failed')
    bench.faults.length = 0
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold', replayed: true })
  })

  test('after its answer is no longer known, a voucher says what is charged, and counts no guess', async () => {
    const buyer = bench.buyer()
    const rawPayment = await buyer.sign()
    await bench.sell(rawPayment)
    const charged = await row(await buyer.id())
    const lastCall = { ...charged.lastCall, salt: null, binding: null, bindingKey: null }
    await bench.store.moveChannel(charged, { lastCall })
    for (let repeat = 0; repeat < 8; repeat += 1)
      expect(await bench.sell(rawPayment)).toMatchObject({
        ...{ kind: 'declined', code: 'replay_window_over', final: true },
        settlement: { extra: { channelState: { chargedCumulativeAmount: '1000' } } },
      })
    expect((await row(await buyer.id())).mismatches).toBe(0)
  })

  test('a repeat of what was charged is not corrected while the next call is charged for long', async () => {
    const buyer = bench.buyer()
    const paid = await buyer.sign()
    await buyer.hear(paid, await bench.sell(paid))
    const { moveChannel } = bench.store
    const held = Promise.withResolvers<void>()
    bench.store.moveChannel = async (...change) => {
      await held.promise
      return moveChannel.apply(bench.store, change)
    }
    const next = bench.sell(await buyer.sign())
    // A client that is corrected would pay for the call once more.
    expect(await bench.sell(paid)).toMatchObject({ kind: 'declined', code: 'payment_in_doubt' })
    held.resolve()
    expect(await next).toMatchObject({ kind: 'sold', replayed: false })
  })

  test('the same voucher for another call is refused, and the client goes on with the next one', async () => {
    const buyer = bench.buyer()
    await buyer.buy()
    await bench.sell(await buyer.sign())
    const other = await buyer.buy('DE89 3704 0044 0532 0130 00')
    expect(other).toMatchObject({ kind: 'declined', code: 'payment_already_used', final: true })
    expect((await row(await buyer.id())).charged).toBe(2_000n)
    expect(await buyer.buy('DE89 3704 0044 0532 0130 00')).toMatchObject({ kind: 'sold', replayed: false })
    expect((await row(await buyer.id())).charged).toBe(3_000n)
  })

  test('a stranger with the voucher cannot try values out for long', async () => {
    const buyer = bench.buyer()
    await buyer.buy()
    const rawPayment = await buyer.sign()
    await bench.sell(rawPayment)
    const answers: unknown[] = []
    for (let guess = 0; guess < 8; guess += 1)
      answers.push(await bench.layer.sell(bench.call(`GB${guess}`, 'stranger'), rawPayment))
    const [used, mustWait] = [
      { code: 'payment_already_used' },
      { code: 'too_many_requests', retryAfterSeconds: 10 },
    ]
    expect(answers).toMatchObject([...Array(5).fill(used), ...Array(3).fill(mustWait)])
    expect(await bench.layer.sell(bench.call(undefined, 'buyer'), rawPayment)).toMatchObject({ kind: 'sold' })
    bench.pass(9_500)
    expect(await bench.layer.sell(bench.call('GB', 'stranger'), rawPayment)).toMatchObject({
      ...{ code: 'too_many_requests', retryAfterSeconds: 1 },
    })
  })

  test('a repeat after the rules have changed says so', async () => {
    const buyer = bench.buyer()
    const rawPayment = await buyer.sign()
    await bench.sell(rawPayment)
    const charged = await row(await buyer.id())
    await bench.store.moveChannel(charged, { lastCall: { ...charged.lastCall, ruleset: 'an older one' } })
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold', replayed: true, rulesetChanged: true })
  })

  test('a message for a task that a channel has paid for is answered to the same voucher only', async () => {
    const buyer = bench.buyer()
    const rawPayment = await buyer.sign()
    const payment = decodeChannelPayment(rawPayment.payload, 'eip155:8453') as ChannelPayment
    const key = chargeKey(payment)
    const settlement = { success: true, transaction: '', network: 'eip155:8453' } as const
    const call = {
      ...bench.call(),
      task: { of: () => ({ id: 'task-1' }) },
      verdicts: () => [],
      json: () => null,
    }
    const answerTo = (change: object) =>
      answerTask({ call, payment } as never, { key: { ...key, ...change }, settlement })
    expect(answerTo({})).toMatchObject({ kind: 'sold', replayed: true, settlement, taskId: 'task-1' })
    for (const other of [{ nonce: `${key.nonce}0` }, { payer: freshAccount().address }])
      expect(answerTo(other)).toMatchObject({ kind: 'declined', code: 'payment_already_used' })
  })

  test('a client that lost its account is corrected, and charged for the call alone', async () => {
    const account = freshAccount()
    const salt = `0x${'07'.repeat(32)}` as const
    const buyer = bench.buyer(account, salt)
    for (let call = 0; call < 3; call += 1) await buyer.buy()
    const forgetful = bench.buyer(account, salt)
    const rawPayment = await forgetful.sign()
    const sale = await bench.sell(rawPayment)
    expect(sale).toMatchObject({ kind: 'unpaid', code: 'channel_out_of_step' })
    expect(await forgetful.hear(rawPayment, sale)).toBe(true)
    expect(await forgetful.buy()).toMatchObject({ kind: 'sold', replayed: false })
    expect((await row(await forgetful.id())).charged).toBe(4_000n)
  })

  test('fifty copies of a request share one charge, also over two processes', async () => {
    const buyer = bench.buyer()
    await buyer.buy()
    const other = await bench.replica()
    const rawPayment = await buyer.sign()
    const sales = await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        (index % 2 === 0 ? bench.layer : other).sell(bench.call(), rawPayment),
      ),
    )
    expect(sales.every(({ kind }) => kind === 'sold')).toBe(true)
    expect(sales.filter((sale) => sale.kind === 'sold' && !sale.replayed)).toHaveLength(1)
    expect((await row(await buyer.id())).charged).toBe(2_000n)
  })

  test('different calls under one voucher at the same moment: one is charged', async () => {
    const buyer = bench.buyer()
    await buyer.buy()
    const other = await bench.replica()
    const rawPayment = await buyer.sign()
    const sales = await Promise.all(
      Array.from({ length: 10 }, (_, index) =>
        (index % 2 === 0 ? bench.layer : other).sell(bench.call(`GB${index}`, `c${index}`), rawPayment),
      ),
    )
    expect(sales.filter(({ kind }) => kind === 'sold')).toHaveLength(1)
    expect((await row(await buyer.id())).charged).toBe(2_000n)
  })

  test('a store that fails at the charge leaves it in doubt, and charges nothing that it does not know of', async () => {
    const buyer = bench.buyer()
    await buyer.buy()
    for (const when of ['before', 'after'] as const) {
      bench.faults.push({ method: 'moveChannel', when })
      const rawPayment = await buyer.sign()
      expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'declined', code: 'payment_in_doubt' })
      bench.faults.length = 0
      const sale = await bench.sell(rawPayment)
      expect(sale).toMatchObject({ kind: 'sold', replayed: when === 'after' })
      await buyer.hear(rawPayment, sale)
    }
    expect((await row(await buyer.id())).charged).toBe(3_000n)
  })

  test('vouchers that others signed, and channels that are not ours, are refused', async () => {
    const buyer = bench.buyer()
    await buyer.buy()
    const rawPayment = await buyer.sign()
    const bent = (change: Record<string, unknown>) => ({
      kind: 'object' as const,
      payload: { ...rawPayment.payload, payload: { ...(rawPayment.payload.payload as object), ...change } },
    })
    const { channelConfig, voucher } = rawPayment.payload.payload as never as {
      channelConfig: Record<string, unknown>
      voucher: Record<string, unknown>
    }
    const forged = { ...voucher, maxClaimableAmount: '3000' }
    expect(await bench.sell(bent({ voucher: forged }))).toMatchObject({ code: 'payment_invalid_signature' })
    const foreign = { ...channelConfig, receiver: freshAccount().address }
    expect(await bench.sell(bent({ channelConfig: foreign }))).toMatchObject({
      code: 'payment_invalid_signature',
    })
    expect(await bench.sell(bent({ type: 'refund' }))).toMatchObject({ code: 'payment_terms_mismatch' })
    expect(await bench.sell(bent({ type: 'other' }))).toMatchObject({ code: 'payment_malformed' })
    expect((await row(await buyer.id())).charged).toBe(1_000n)
  })

  test('a price that is not the offered one is refused', async () => {
    const buyer = bench.buyer()
    await buyer.buy()
    const accepted = { ...(await buyer.terms()), amount: '1' }
    const { payload } = await buyer.scheme.createPaymentPayload(2, accepted)
    const sale = await bench.sell({ kind: 'object', payload: { x402Version: 2, accepted, payload } })
    expect(sale).toMatchObject({ code: 'payment_terms_mismatch' })
    expect((await row(await buyer.id())).charged).toBe(1_000n)
  })

  test('nothing is sold beyond the deposit: the client tops up', async () => {
    const buyer = bench.buyer()
    for (let call = 0; call < 252; call += 1) expect(await buyer.buy()).toMatchObject({ kind: 'sold' })
    expect(bench.contract.sent).toEqual(['deposit', 'deposit'])
    const { charged, balance } = await row(await buyer.id())
    expect([charged, balance]).toEqual([252_000n, 500_000n])
  })

  test('an older copy of the store: what was claimed since counts as charged', async () => {
    const buyer = bench.buyer()
    await buyer.buy()
    const id = await buyer.id()
    const old = await row(id)
    for (let call = 0; call < 4; call += 1) await buyer.buy()
    const now = await row(id)
    bench.contract.change(id, { totalClaimed: now.charged })
    const { charged, signature, lastCall, totalClaimed } = old
    expect(await bench.store.moveChannel(now, { charged, signature, lastCall, totalClaimed })).not.toBeNull()
    expect(await buyer.buy()).toMatchObject({ kind: 'sold', replayed: false })
    expect((await row(id)).charged).toBe(6_000n)
  })

  test('a list costs its number of values, over MCP as over REST', async () => {
    const buyer = bench.buyer()
    await buyer.buy()
    for (const surface of ['channel', 'mcp'] as const) {
      const { items } = bench.call()
      const call = { ...bench.call(), shape: 'list', surface, items: [...items, ...items, ...items] } as const
      const quote = await bench.layer.quotes.of({ shape: 'list', type: 'iban', items: 3 }, surface)
      const { accepts } = (quote.ofAllSchemes ?? quote).required('payment_required')
      const accepted = accepts.find(({ scheme }) => scheme === 'batch-settlement')
      if (accepted === undefined) throw new Error('no offer of a channel')
      expect(accepted.amount).toBe('3000')
      const { payload } = await buyer.scheme.createPaymentPayload(2, accepted)
      const rawPayment = { kind: 'object', payload: { x402Version: 2, accepted, payload } } as const
      const sale = await bench.layer.sell(call as never, rawPayment)
      expect(sale).toMatchObject({ kind: 'sold', verdicts: { length: 3 } })
      const settleResponse = 'settlement' in sale ? sale.settlement : undefined
      const heard = { paymentPayload: rawPayment.payload, requirements: accepted, settleResponse }
      await buyer.scheme.schemeHooks.onPaymentResponse?.(heard as never)
    }
    expect((await row(await buyer.id())).charged).toBe(7_000n)
  })
})
