/** What holds for a call over a channel holds at every door, for one value as for a list. */

import { CHECKS } from 'format-checker-checks/internal/checks'
import type { CheckType } from 'format-checker-checks/verdict'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Door, Order } from '../lists/doors.ts'
import { leaks } from '../support/echo.ts'
import { type ChannelService, channelTermsIn, DOORS, startChannelService } from './channel-service.ts'

type Known = { readonly type: CheckType; readonly value: string }
const FIRST: Known = { type: 'iban', value: 'DE89 3704 0044 0532 0130 00' }
const OTHERS: readonly Known[] = [
  { type: 'email', value: 'someone.particular@example.com' },
  { type: 'pl-nip', value: '5260250274' },
  { type: 'iban', value: 'no IBAN, "quoted" \\ and ünïcode' },
]
const ORDERS = {
  'a single value': { items: [FIRST], order: { single: FIRST }, other: { single: OTHERS[0] as Known } },
  'a list': {
    items: [FIRST, ...OTHERS],
    order: { list: [FIRST, ...OTHERS] },
    other: { list: [...OTHERS, FIRST] },
  },
} as const satisfies Record<string, { items: readonly Known[]; order: Order; other: Order }>

const CASES = DOORS.flatMap((door) => Object.keys(ORDERS).map((what) => [what, door] as const))

describe.each(CASES)('%s over %s', (what, name) => {
  const { items, order, other } = ORDERS[what as keyof typeof ORDERS]
  const price = BigInt(items.length) * 1_000n
  const results = items.map(({ type, value }) => JSON.stringify(CHECKS[type](value)))
  let service: ChannelService
  let door: Door
  beforeEach(async () => {
    service = await startChannelService()
    door = service.doors[name]
  })
  afterEach(() => service.stop())

  it('is offered for a single payment alone to a client that does not ask for channels', async () => {
    const { accepts, extensions } = await service.plainDoors[name].ask(order)
    expect(accepts.map(({ scheme, amount }) => [scheme, amount])).toEqual([['exact', String(price)]])
    expect(extensions).toHaveProperty('offer-receipt')
  })

  it('is offered over a channel after the single payment to a client that asks, over REST at an address of its own', async () => {
    const { accepts } = await door.ask(order)
    const schemes = name === 'rest' ? ['batch-settlement'] : ['exact', 'batch-settlement']
    expect(accepts.map(({ scheme, amount }) => [scheme, amount])).toEqual(
      schemes.map((scheme) => [scheme, String(price)]),
    )
  })

  it('is offered over a channel to a refused voucher, though its client did not ask', async () => {
    const payload = await service.buyerAt(door).payFor(order)
    const forged = { ...payload, payload: { ...payload.payload, voucher: {} } }
    const { required } = await service.plainDoors[name].buy(order, forged)
    // In band the task has failed, and shows no terms. Over REST the address says what is offered.
    const shown =
      name === 'rest' ? ['exact'] : name.startsWith('a2a in') ? undefined : ['exact', 'batch-settlement']
    expect(required?.accepts.map(({ scheme }) => scheme)).toEqual(shown)
  })

  it('is sold by a deposit and then by vouchers, each a price further, with a receipt', async () => {
    const buyer = service.buyerAt(door)
    for (let call = 1n; call <= 3n; call += 1n) {
      const sold = await buyer.buy(order)
      expect(sold).toMatchObject({ outcome: 'sold', results })
      expect(sold.settlement).toMatchObject({
        success: true,
        payer: buyer.account.address,
        extra: {
          chargedAmount: String(price),
          channelState: { chargedCumulativeAmount: String(call * price) },
        },
        extensions: { 'offer-receipt': { info: { receipt: { format: 'jws' } } } },
      })
      expect(await buyer.charged()).toBe(call * price)
    }
    expect(service.bench.contract.sent).toEqual(['deposit'])
  })

  it('after a lost reply is answered again for the identical voucher and body, charged once', async () => {
    const buyer = service.buyerAt(door)
    await buyer.buy(order)
    const payload = await buyer.payFor(order)
    const first = await door.buy(order, payload)
    // The client did not hear, and signs the same voucher again.
    const again = await buyer.payFor(order)
    expect(again.payload).toEqual(payload.payload)
    await service.bench.restart()
    const second = await door.buy(order, again)
    expect(second).toMatchObject({ outcome: 'replayed', results, settlement: first.settlement })
    expect(await buyer.charged()).toBe(2n * price)
    await buyer.hear(again, second)
    expect(await buyer.buy(order)).toMatchObject({ outcome: 'sold', results })
    expect(await buyer.charged()).toBe(3n * price)
  })

  it('is not sold under a voucher that paid for another call, and the next voucher is in step', async () => {
    const buyer = service.buyerAt(door)
    await buyer.buy(order)
    await door.buy(order, await buyer.payFor(order))
    const refused = await buyer.buy(other)
    expect(refused).toMatchObject({ outcome: 'payment_already_used', results: [], charged: 'false' })
    expect(refused.settlement).toMatchObject({ extra: { chargedAmount: String(price) } })
    expect(await buyer.charged()).toBe(2n * price)
    expect(await buyer.buy(other)).toMatchObject({ outcome: 'sold' })
    expect(await buyer.charged()).toBe(3n * price)
  })

  it('is sold to a client that lost its account, once it is corrected', async () => {
    const buyer = service.buyerAt(door)
    for (let call = 0; call < 2; call += 1) await buyer.buy(order)
    const forgetful = service.buyerAt(door, buyer.account, buyer.salt)
    const payload = await forgetful.payFor(order)
    const refused = await door.buy(order, payload)
    expect(refused).toMatchObject({ outcome: 'channel_out_of_step', results: [], charged: 'false' })
    expect(await forgetful.hear(payload, refused)).toBe(true)
    expect(await forgetful.buy(order)).toMatchObject({ outcome: 'sold', results })
    expect(await buyer.charged()).toBe(3n * price)
  })

  it('is not sold at the price of another number of values', async () => {
    const buyer = service.buyerAt(door)
    await buyer.buy(order)
    const pair = { list: [FIRST, ...OTHERS.slice(0, 1)] }
    const answer = await door.buy(order, await buyer.payFor(pair))
    expect(answer).toMatchObject({ outcome: 'payment_terms_mismatch', results: [] })
    expect(await buyer.charged()).toBe(price)
  })

  it('sent in copies at once is charged once', async () => {
    const buyer = service.buyerAt(door)
    await buyer.buy(order)
    const payload = await buyer.payFor(order)
    const answers = await Promise.all(Array.from({ length: 6 }, () => door.buy(order, payload)))
    for (const answer of answers) expect(answer.results).toEqual(results)
    expect(await buyer.charged()).toBe(2n * price)
  })

  it('of which two orders come at once under one voucher is sold for one of them', async () => {
    const buyer = service.buyerAt(door)
    await buyer.buy(order)
    const payload = await buyer.payFor(order)
    const answers = await Promise.all([door.buy(order, payload), door.buy(other, payload)])
    expect(answers.map(({ outcome }) => outcome).toSorted()).toEqual(['payment_already_used', 'sold'])
    expect(await buyer.charged()).toBe(2n * price)
  })

  it('is not sold to a payer who is leaving: single payments are named', async () => {
    const buyer = service.buyerAt(door)
    await buyer.buy(order)
    service.bench.contract.change(await buyer.id(), { withdrawRequestedAt: 1 })
    service.bench.pass(2 * 3_600_000)
    const refused = await door.buy(order, await buyer.payFor(order))
    expect(refused).toMatchObject({ outcome: 'channel_closing', results: [], charged: 'false' })
    const named = name === 'rest' ? 'batch-settlement' : 'exact'
    expect(refused.required?.accepts.map(({ scheme }) => scheme)).toEqual([named])
    if (name === 'rest')
      expect(refused.required?.error).toContain('Single payments are taken at /api/validate/')
    expect(await buyer.charged()).toBe(price)
  })

  it.each([
    'before',
    'after',
  ] as const)('whose charge fails %s it is written is charged once', async (when) => {
    const buyer = service.buyerAt(door)
    await buyer.buy(order)
    const payload = await buyer.payFor(order)
    for (const method of ['moveChannel', 'chargeWithTask'] as const)
      service.bench.faults.push({ method, when })
    expect(await door.buy(order, payload)).toMatchObject({
      ...{ outcome: 'payment_in_doubt', results: [], charged: 'unknown' },
    })
    service.bench.faults.length = 0
    const second = await door.buy(order, payload)
    expect(second).toMatchObject({ outcome: when === 'after' ? 'replayed' : 'sold', results })
    expect(await buyer.charged()).toBe(2n * price)
  })

  it('whose deposit is in doubt is sold to the same request, by one deposit', async () => {
    const buyer = service.buyerAt(door)
    const payload = await buyer.payFor(order)
    service.bench.contract.faults.push({ lands: false, says: 'nothing' })
    const first = await door.buy(order, payload)
    expect(first).toMatchObject({ outcome: 'payment_in_doubt', results: [], charged: 'unknown' })
    const second = await door.buy(order, payload)
    expect(second).toMatchObject({ outcome: 'sold', results })
    expect(await buyer.charged()).toBe(price)
    expect(service.bench.contract.state(await buyer.id()).balance).toBe(250_000n)
  })

  it('leaves no value in any answer, log line or row', async () => {
    const buyer = service.buyerAt(door)
    const answers = [await buyer.buy(order)]
    const payload = await buyer.payFor(order)
    for (const each of [order, order, other]) answers.push(await door.buy(each, payload))
    const forged = { ...payload, payload: { ...payload.payload, voucher: {} } }
    answers.push(await door.buy(order, forged))
    const traces = `${answers.map(({ text }) => text).join('\n')}\n${service.traces()}`
    for (const { type, value } of items) expect(leaks(type, value, traces)).toEqual([])
  })

  it('costs the least deposit at most, whatever it is a part of', async () => {
    const { extra } = channelTermsIn(await door.ask(order))
    expect(extra).toMatchObject({ minDeposit: '250000', withdrawDelay: 86_400 })
  })
})
