import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ChainUnavailable } from '../../../src/payments/chain/chain-reader.ts'
import { createExposure, MOST_EXPOSED } from '../../../src/payments/channels/claims/exposure.ts'
import { createMaintenance } from '../../../src/payments/channels/claims/maintain-channels.ts'
import type { RawPayment } from '../../../src/payments/ports/sale.ts'
import { SignerUnavailable } from '../../../src/payments/ports/signer.ts'
import { type ChannelBench, startChannelBench } from '../../support/channel-bench.ts'

const HOUR = 3_600_000

let bench: ChannelBench
beforeEach(async () => {
  bench = await startChannelBench()
})
afterEach(() => bench.stop())

const maintain = () => bench.layer.channels?.maintenance.run()
const refund = (rawPayment: { payload: unknown }) =>
  bench.layer.channels?.refund({ kind: 'object', payload: rawPayment.payload })

/** What the stock client sends to close its channel. */
async function closing(buyer: ReturnType<ChannelBench['buyer']>, amount?: string) {
  const { payload } = await buyer.sign()
  const { channelConfig, voucher } = payload.payload as never as {
    channelConfig: object
    voucher: { channelId: `0x${string}`; maxClaimableAmount: string }
  }
  const { signVoucher } = await import('@x402/evm/batch-settlement/client')
  const charged = (BigInt(voucher.maxClaimableAmount) - 1_000n).toString()
  const signed = await signVoucher(buyer.account, voucher.channelId, charged, 'eip155:8453')
  const closed = {
    type: 'refund',
    channelConfig,
    voucher: signed,
    ...(amount === undefined ? {} : { amount }),
  }
  return { payload: { ...payload, payload: closed } }
}

describe('claims', () => {
  test('run on demand, take what was charged, and pay it out', async () => {
    const buyer = bench.buyer()
    for (let call = 0; call < 3; call += 1) await buyer.buy()
    const id = await buyer.id()
    expect(await maintain()).toEqual({ claimed: 0, failed: 0 })
    bench.layer.channels?.maintenance.claimSoon()
    expect(await maintain()).toEqual({ claimed: 1, failed: 0 })
    expect(bench.contract.state(id).totalClaimed).toBe(3_000n)
    expect((await bench.store.findChannel(id))?.totalClaimed).toBe(3_000n)
    expect(bench.contract.settled()).toBe(3_000n)
    expect(await buyer.buy()).toMatchObject({ kind: 'sold' })
  })

  test('have been paid out when their run ends', async () => {
    await bench.buyer().buy()
    const { facilitator } = bench.contract
    const { settle } = facilitator
    facilitator.settle = async (...act) => {
      for (let turn = 0; turn < 100; turn += 1) await new Promise(setImmediate)
      return settle(...act)
    }
    bench.layer.channels?.maintenance.claimSoon()
    await maintain()
    expect(bench.contract.settled()).toBe(1_000n)
  })

  test('run on schedule, also if the last run was by a clock that was a day ahead', async () => {
    bench.pass(24 * HOUR)
    expect(await maintain()).toEqual({ claimed: 0, failed: 0 })
    bench.pass(-24 * HOUR)
    const buyer = bench.buyer()
    await buyer.buy()
    expect(await maintain()).toEqual({ claimed: 1, failed: 0 })
    await buyer.buy()
    expect(await maintain()).toEqual({ claimed: 0, failed: 0 })
    bench.pass(6 * HOUR - 1)
    expect(await maintain()).toEqual({ claimed: 0, failed: 0 })
    bench.pass(1)
    expect(await maintain()).toEqual({ claimed: 1, failed: 0 })
  })

  test('do not run on schedule while the store cannot note that they did', async () => {
    await bench.buyer().buy()
    expect(await maintain()).toEqual({ claimed: 0, failed: 0 })
    bench.pass(6 * HOUR)
    bench.faults.push({ method: 'replaceFact', when: 'before' })
    await expect(maintain()).rejects.toThrow('injected fault')
    expect(bench.contract.sent).not.toContain('claim')
    bench.faults.length = 0
    expect(await maintain()).toEqual({ claimed: 1, failed: 0 })
  })

  test.each(['the node', 'the signer'])('that are due are made as soon as %s is back', async (away) => {
    await bench.buyer().buy()
    await maintain()
    const { signTypedData } = bench.authorizer
    const leave = () => {
      if (away === 'the node')
        bench.contract.faults.push({ lands: false, says: 'nothing', node: 'goes down' })
      else bench.authorizer.signTypedData = () => Promise.reject(new SignerUnavailable('away'))
    }
    const comeBack = () => {
      bench.contract.world.isDown = false
      bench.authorizer.signTypedData = signTypedData
    }
    for (const makeDue of [() => bench.pass(6 * HOUR), () => bench.layer.channels?.maintenance.claimSoon()]) {
      await bench.buyer().buy()
      makeDue()
      leave()
      await maintain()?.catch(() => {})
      comeBack()
      expect(await maintain()).toMatchObject({ failed: 0 })
      expect((await bench.store.channelTotals(bench.clock.at)).exposed).toBe(0n)
    }
  })

  test('one offender in a batch does not hold up the others', async () => {
    const buyers = Array.from({ length: 7 }, () => bench.buyer())
    for (const buyer of buyers) await buyer.buy()
    const bad = (await buyers[3]?.id()) ?? ''
    bench.contract.world.unclaimable.add(bad)
    bench.layer.channels?.maintenance.claimSoon()
    expect(await maintain()).toEqual({ claimed: 6, failed: 1 })
    for (const buyer of buyers) {
      const id = await buyer.id()
      expect(bench.contract.state(id).totalClaimed).toBe(id === bad ? 0n : 1_000n)
    }
    expect(bench.events).toContain('channel_claim_failed')
  })

  test('one that the node does not answer for holds up no other, and is claimed once it does', async () => {
    const ids = await Promise.all(
      Array.from({ length: 3 }, async () => {
        const buyer = bench.buyer()
        await buyer.buy()
        return buyer.id()
      }),
    )
    await maintain()
    const { reader } = bench.contract
    const { state } = reader
    reader.state = async (id) => {
      if (id === ids[1]) throw new ChainUnavailable('the node is down')
      return state(id)
    }
    bench.layer.channels?.maintenance.claimSoon()
    expect(await maintain()).toEqual({ claimed: 2, failed: 0 })
    expect(bench.contract.settled()).toBe(2_000n)
    reader.state = state
    expect(await maintain()).toEqual({ claimed: 1, failed: 0 })
    expect(await maintain()).toEqual({ claimed: 0, failed: 0 })
  })

  test('what another process has claimed is not claimed again', async () => {
    const [one, other] = [bench.buyer(), bench.buyer()]
    for (const buyer of [one, other]) await buyer.buy()
    bench.contract.change(await one.id(), { totalClaimed: 1_000n })
    bench.layer.channels?.maintenance.claimSoon()
    expect(await maintain()).toEqual({ claimed: 1, failed: 0 })
    expect(bench.contract.state(await other.id()).totalClaimed).toBe(1_000n)
  })

  test('a claim whose answer is lost is not lost: the chain is read', async () => {
    const buyer = bench.buyer()
    await buyer.buy()
    bench.layer.channels?.maintenance.claimSoon()
    bench.contract.faults.push({ lands: true, says: { errorReason: 'settlement_pending' } })
    await maintain()
    bench.layer.channels?.maintenance.claimSoon()
    await maintain()
    expect((await bench.store.findChannel(await buyer.id()))?.totalClaimed).toBe(1_000n)
  })

  test('a payer who begins to withdraw is claimed from at once, and sold no more', async () => {
    const buyer = bench.buyer()
    await buyer.buy()
    await buyer.buy()
    const id = await buyer.id()
    bench.contract.change(id, { withdrawRequestedAt: 1 })
    expect(await maintain()).toEqual({ claimed: 1, failed: 0 })
    expect(bench.contract.state(id).totalClaimed).toBe(2_000n)
    expect(bench.events).toContain('channel_withdrawal_seen')
    expect(await buyer.buy()).toMatchObject({ kind: 'unpaid', code: 'channel_closing' })
    expect((await bench.store.findChannel(id))?.charged).toBe(2_000n)
    // A refund or another deposit may end the withdrawal.
    bench.contract.change(id, { withdrawRequestedAt: 0 })
    expect(await buyer.buy()).toMatchObject({ kind: 'sold' })
  })

  test('of what a payer took a part from under a voucher, the rest is claimed', async () => {
    const buyer = bench.buyer()
    for (let call = 0; call < 3; call += 1) await buyer.buy()
    const id = await buyer.id()
    bench.contract.change(id, { balance: 2_000n })
    bench.layer.channels?.maintenance.claimSoon()
    expect(await maintain()).toEqual({ claimed: 1, failed: 0 })
    expect(bench.contract.state(id).totalClaimed).toBe(2_000n)
  })

  test('money that a payer took from under a voucher is said once, and claimed when the payer deposits again', async () => {
    const buyer = bench.buyer()
    for (let call = 0; call < 3; call += 1) await buyer.buy()
    const id = await buyer.id()
    bench.contract.change(id, { balance: 0n })
    for (let look = 0; look < 3; look += 1) {
      bench.layer.channels?.maintenance.claimSoon()
      expect(await maintain()).toEqual({ claimed: 0, failed: 0 })
    }
    expect(bench.events.filter((event) => event === 'channel_voucher_lost')).toHaveLength(1)
    // It takes no part of what may be unclaimed.
    expect(await bench.store.channelTotals(bench.clock.at)).toMatchObject({ lost: 3_000n, exposed: 0n })
    expect(bench.contract.sent).toEqual(['deposit'])
    expect(await buyer.buy()).toMatchObject({ kind: 'sold' })
    bench.layer.channels?.maintenance.claimSoon()
    expect(await maintain()).toEqual({ claimed: 1, failed: 0 })
    expect(bench.contract.state(id).totalClaimed).toBe(4_000n)
  })

  test('that loss is said too if a refund is the first to read it', async () => {
    const buyer = bench.buyer()
    for (let call = 0; call < 3; call += 1) await buyer.buy()
    const request = await closing(buyer)
    bench.contract.change(await buyer.id(), { balance: 0n })
    await refund(request)
    await maintain()
    expect(bench.events.filter((event) => event === 'channel_voucher_lost')).toHaveLength(1)
  })

  test('a shutdown waits for a refund under way', async () => {
    const buyer = bench.buyer()
    await buyer.buy()
    const order: string[] = []
    const refunded = refund(await closing(buyer))?.then(() => order.push('refunded'))
    await bench.layer.paidCalls.finish(3_600_000).then(() => order.push('finished'))
    await refunded
    expect(order).toEqual(['refunded', 'finished'])
  })

  test('a node that is behind takes back no claim and no refund, and nothing is sold on what it shows', async () => {
    const buyer = bench.buyer()
    await buyer.buy()
    const id = await buyer.id()
    const before = bench.contract.state(id)
    expect(await refund(await closing(buyer, '100000'))).toMatchObject({ kind: 'refunded' })
    const after = bench.contract.state(id)
    bench.contract.change(id, before)
    await maintain()
    expect(await bench.store.findChannel(id)).toMatchObject({ balance: 150_000n, refundNonce: 1n })
    bench.pass(3_700_000)
    const next = await buyer.sign()
    expect(await bench.sell(next)).toMatchObject({ kind: 'declined', code: 'chain_unavailable' })
    bench.contract.change(id, after)
    expect(await bench.sell(next)).toMatchObject({ kind: 'sold' })
  })

  test('what is charged and not claimed is bounded', () => {
    let asked = 0
    const exposure = createExposure(() => {
      asked += 1
    })
    const { channel, all } = MOST_EXPOSED
    expect([exposure.allows(channel / 2n), asked]).toEqual([true, 0])
    expect([exposure.allows(channel / 2n + 1n), asked]).toEqual([true, 1])
    expect(exposure.allows(channel)).toBe(true)
    expect(exposure.allows(channel + 1n)).toBe(false)
    exposure.add(all + 1n)
    expect(exposure.allows(1n)).toBe(false)
    exposure.set(all)
    expect(exposure.allows(1n)).toBe(true)
    asked = 0
    exposure.set(all / 2n)
    expect([exposure.allows(1n), asked]).toEqual([true, 0])
    exposure.add(1n)
    expect([exposure.allows(1n), asked]).toEqual([true, 1])
  })

  test('what all replicas have charged is known to one that never has the turn to claim', async () => {
    for (const _ of [1, 2]) await bench.buyer().buy()
    const { context, channels } = bench.layer
    await bench.store.acquireLock('channels', 'another replica', bench.now(), bench.now() + HOUR)
    const exposure = createExposure(() => {})
    exposure.add(100_000_000n)
    const idle = createMaintenance({
      ledger: bench.store,
      owner: context.owner,
      now: bench.now,
      exposure,
    } as never)
    expect([await idle.run(), await channels?.maintenance.run()]).toEqual([null, null])
    expect(exposure.all()).toBe(2_000n)
  })
})

/** The acts that the facilitator is given from now on. */
function acts() {
  const seen: { payment: Record<string, unknown>; terms: unknown }[] = []
  const { facilitator } = bench.contract
  const { settle } = facilitator
  facilitator.settle = (payment, terms) => {
    seen.push({ payment: payment as never, terms })
    return settle(payment, terms)
  }
  const payloads = () => seen.map(({ payment }) => payment.payload as Record<string, never>)
  return { seen, payloads }
}

test('a claim holds sixteen channels; it and the payout are acts of version 2 without a price', async () => {
  for (let buyer = 0; buyer < 17; buyer += 1) await bench.buyer().buy()
  bench.layer.channels?.maintenance.claimSoon()
  const { seen, payloads } = acts()
  expect(await maintain()).toEqual({ claimed: 17, failed: 0 })
  expect(payloads().map(({ type, claims }) => [type, (claims as unknown[] | undefined)?.length])).toEqual([
    ...[
      ['claim', 16],
      ['claim', 1],
      ['settle', undefined],
    ],
  ])
  const { requirements } = bench.layer.context.terms
  const terms = {
    ...{ scheme: 'batch-settlement', network: 'eip155:8453', asset: requirements.asset, amount: '0' },
    ...{ payTo: requirements.payTo, extra: {} },
  }
  for (const act of seen) {
    expect(act.payment).toMatchObject({ x402Version: 2, accepted: terms })
    expect(act.terms).toMatchObject(terms)
  }
  expect(payloads().at(-1)).toEqual({
    ...{ type: 'settle', receiver: requirements.payTo, token: requirements.asset },
  })
})

test('what fails in any of several claims is counted', async () => {
  for (let buyer = 0; buyer < 17; buyer += 1) await bench.buyer().buy()
  const rows = await bench.store.claimableChannels(17)
  for (const at of [0, 16]) bench.contract.world.unclaimable.add(rows[at]?.id ?? '')
  bench.layer.channels?.maintenance.claimSoon()
  expect(await maintain()).toEqual({ claimed: 15, failed: 2 })
})

describe('refunds', () => {
  test('end in doubt, and unsigned, while calls change the row at every look', async () => {
    const buyer = bench.buyer()
    await buyer.buy()
    const { payloads } = acts()
    let changes = 0
    bench.store.moveChannel = async () => {
      changes += 1
      return null
    }
    expect(await refund(await closing(buyer))).toMatchObject({ kind: 'declined', code: 'payment_in_doubt' })
    expect(changes).toBeLessThan(10)
    expect(payloads()).toEqual([])
  })

  test('are of the channel as it is then, with a claim if something is not claimed', async () => {
    const buyer = bench.buyer()
    await buyer.buy()
    const { payloads } = acts()
    const first = await refund(await closing(buyer, '1000'))
    expect(first).toMatchObject({
      settlement: {
        ...{ success: true, payer: buyer.account.address.toLowerCase(), transaction: `0x${'ab'.repeat(32)}` },
        ...{ network: 'eip155:8453', amount: '1000' },
        extra: { channelState: { balance: '249000', totalClaimed: '1000', refundNonce: '1' } },
      },
    })
    await buyer.buy()
    bench.layer.channels?.maintenance.claimSoon()
    await maintain()
    expect(await refund(await closing(buyer))).toMatchObject({ kind: 'refunded', amount: 247_000n })
    const [withClaim, without] = payloads().filter(({ type }) => String(type) === 'refund')
    expect(withClaim).toMatchObject({ amount: '1000', refundNonce: '0', claims: [{ totalClaimed: '1000' }] })
    expect(withClaim).toHaveProperty('claimAuthorizerSignature')
    expect(without).toMatchObject({ amount: '247000', refundNonce: '1', claims: [] })
    expect(without).not.toHaveProperty('claimAuthorizerSignature')
  })

  test('of all that is left are given for a claimed voucher also if the sum is named', async () => {
    const buyer = bench.buyer()
    await buyer.buy()
    bench.layer.channels?.maintenance.claimSoon()
    await maintain()
    expect(await refund(await closing(buyer, '248999'))).toMatchObject({ code: 'payment_refused' })
    expect(await refund(await closing(buyer, '249000'))).toMatchObject({ kind: 'refunded', amount: 249_000n })
  })

  test('of more than is left are of what is left', async () => {
    const buyer = bench.buyer()
    await buyer.buy()
    expect(await refund(await closing(buyer, '249001'))).toMatchObject({ kind: 'refunded', amount: 249_000n })
  })

  test('are asked for by a signed payment of a channel, as an object or a header', async () => {
    const buyer = bench.buyer()
    await buyer.buy()
    const close = await closing(buyer)
    const ask = (rawPayment: RawPayment) => bench.layer.channels?.refund(rawPayment)
    expect(await ask({ kind: 'none' })).toMatchObject({ kind: 'unpaid', code: 'payment_required' })
    expect(await ask({ kind: 'text', text: '?' })).toMatchObject({ code: 'payment_terms_mismatch' })
    const malformed = { ...close.payload, payload: { ...close.payload.payload, voucher: null } }
    expect(await refund({ payload: malformed })).toMatchObject({ code: 'payment_malformed' })
    const { voucher } = (await buyer.sign()).payload.payload as never as { voucher: object }
    const amount = { maxClaimableAmount: '1000' }
    const forged = {
      ...close.payload,
      payload: { ...close.payload.payload, voucher: { ...voucher, ...amount } },
    }
    expect(await refund({ payload: forged })).toMatchObject({ code: 'payment_invalid_signature' })
    bench.faults.push({ method: 'findChannel', when: 'before' })
    expect(await refund(close)).toMatchObject({ kind: 'declined', code: 'store_unavailable' })
    bench.faults.length = 0
    bench.faults.push({ method: 'moveChannel', when: 'before' })
    expect(await refund(close)).toMatchObject({ kind: 'declined', code: 'store_unavailable' })
    bench.faults.length = 0
    // The lock of the refund that failed.
    bench.pass(31_000)
    const { state } = bench.contract.reader
    bench.contract.reader.state = () => Promise.reject(new Error('a defect'))
    await expect(refund(close)).rejects.toThrow('a defect')
    bench.contract.reader.state = state
    bench.pass(31_000)
    const text = Buffer.from(JSON.stringify(close.payload)).toString('base64')
    expect(await ask({ kind: 'text', text })).toMatchObject({ kind: 'refunded', amount: 249_000n })
  })

  const refundsSent = () => bench.contract.sent.filter((type) => type === 'refund').length

  test('pay back what is not charged, after what is charged was claimed', async () => {
    const buyer = bench.buyer()
    for (let call = 0; call < 4; call += 1) await buyer.buy()
    const outcome = await refund(await closing(buyer))
    expect(outcome).toMatchObject({ kind: 'refunded', amount: 246_000n, settlement: { success: true } })
    expect(bench.contract.state(await buyer.id())).toMatchObject({ balance: 4_000n, totalClaimed: 4_000n })
  })

  test('pay back a part, and the channel goes on', async () => {
    const buyer = bench.buyer()
    await buyer.buy()
    expect(await refund(await closing(buyer, '100000'))).toMatchObject({ kind: 'refunded', amount: 100_000n })
    expect(bench.contract.state(await buyer.id()).balance).toBe(150_000n)
    expect(await buyer.buy()).toMatchObject({ kind: 'sold' })
  })

  test('while a signed refund may still be mined, nothing is sold on its money', async () => {
    const buyer = bench.buyer()
    await buyer.buy()
    const next = await buyer.sign()
    const close = await closing(buyer)
    bench.contract.faults.push({ lands: false, says: 'nothing' })
    expect(await refund(close)).toMatchObject({ kind: 'declined', code: 'payment_in_doubt' })
    expect(await bench.sell(next)).toMatchObject({ kind: 'unpaid', code: 'channel_out_of_step' })
    // It is sent again once the first one had its time.
    expect(await refund(close)).toMatchObject({ kind: 'declined', code: 'payment_in_doubt' })
    expect(refundsSent()).toBe(1)
    bench.pass(31_000)
    expect(await refund(close)).toMatchObject({ kind: 'refunded', amount: 249_000n })
    expect((await bench.store.findChannel(await buyer.id()))?.charged).toBe(1_000n)
  })

  test('that the signer does not sign are in doubt, and sent once it signs again', async () => {
    const buyer = bench.buyer()
    await buyer.buy()
    const close = await closing(buyer)
    const { signTypedData } = bench.authorizer
    bench.authorizer.signTypedData = async () => Promise.reject(new SignerUnavailable('away'))
    expect(await refund(close)).toMatchObject({ kind: 'declined', code: 'payment_in_doubt' })
    bench.authorizer.signTypedData = signTypedData
    bench.pass(31_000)
    expect(await refund(close)).toMatchObject({ kind: 'refunded', amount: 249_000n })
  })

  test('a deposit whose money a signed refund takes back does not stand for a new one', async () => {
    const buyer = bench.buyer()
    await buyer.buy()
    const terms = await buyer.terms()
    const deposit = async () => {
      const { createBatchSettlementEIP3009DepositPayload } = await import('@x402/evm/batch-settlement/client')
      const config = buyer.scheme.buildChannelConfig(terms)
      const { payload } = await createBatchSettlementEIP3009DepositPayload(
        ...([buyer.account, 2, terms, config, '250000', '2000'] as const),
      )
      return { kind: 'object', payload: { x402Version: 2, accepted: terms, payload } } as const
    }
    bench.faults.push({ method: 'moveChannel', when: 'before' })
    expect(await bench.sell(await deposit())).toMatchObject({ code: 'payment_in_doubt' })
    bench.faults.length = 0
    bench.contract.faults.push({ lands: false, says: 'nothing' })
    expect(await refund(await closing(buyer))).toMatchObject({ code: 'payment_in_doubt' })
    expect(await bench.sell(await deposit())).toMatchObject({ kind: 'sold' })
    expect(bench.contract.sent).toEqual(['deposit', 'deposit', 'refund', 'deposit'])
  })

  test('a stranger with a claimed voucher, which is public, causes one refund at most, and none of a part', async () => {
    const buyer = bench.buyer()
    await buyer.buy()
    const id = await buyer.id()
    bench.layer.channels?.maintenance.claimSoon()
    await maintain()
    for (let tries = 0; tries < 10; tries += 1)
      expect(await refund(await closing(buyer, '1'))).toMatchObject({
        kind: 'unpaid',
        code: 'payment_refused',
      })
    expect(refundsSent()).toBe(0)
    expect(await refund(await closing(buyer))).toMatchObject({ kind: 'refunded', amount: 249_000n })
    // Money that comes in without a call is not paid back on the old voucher again.
    bench.contract.change(id, { balance: 250_000n })
    expect(await refund(await closing(buyer))).toMatchObject({ kind: 'unpaid', code: 'payment_refused' })
    expect(refundsSent()).toBe(1)
    await buyer.buy()
    expect(await refund(await closing(buyer))).toMatchObject({ kind: 'refunded' })
    expect(refundsSent()).toBe(2)
  })

  test('a payer gets one refund for each voucher', async () => {
    const buyer = bench.buyer()
    await buyer.buy()
    const part = await closing(buyer, '1000')
    expect(await refund(part)).toMatchObject({ kind: 'refunded', amount: 1_000n })
    for (let tries = 0; tries < 10; tries += 1)
      expect(await refund(part)).toMatchObject({ kind: 'unpaid', code: 'payment_refused' })
    expect(refundsSent()).toBe(1)
    await buyer.buy()
    expect(await refund(await closing(buyer))).toMatchObject({ kind: 'refunded', amount: 247_000n })
  })

  test('many requests at once, also to several processes, send one refund', async () => {
    const buyer = bench.buyer()
    await buyer.buy()
    const other = await bench.replica()
    const close = await closing(buyer)
    const rawPayment = { kind: 'object', payload: close.payload } as const
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        (index % 2 === 0 ? bench.layer : other).channels?.refund(rawPayment),
      ),
    )
    expect(refundsSent()).toBe(1)
    const codes = outcomes.map((each) => (each?.kind === 'refunded' ? each.kind : each?.code))
    expect(new Set(codes)).toEqual(new Set(['refunded', 'payment_in_doubt']))
  })

  test('a refund whose answer was lost is answered from the chain', async () => {
    const buyer = bench.buyer()
    await buyer.buy()
    bench.contract.faults.push({ lands: true, says: 'nothing' })
    expect(await refund(await closing(buyer))).toMatchObject({ kind: 'refunded', amount: 249_000n })
  })

  test('a refund pays back the last unit', async () => {
    const buyer = bench.buyer()
    await buyer.buy()
    bench.contract.change(await buyer.id(), { balance: 1_001n })
    expect(await refund(await closing(buyer))).toMatchObject({ kind: 'refunded', amount: 1n })
  })

  test('a refund passes on no words of the facilitator', async () => {
    const buyer = bench.buyer()
    await buyer.buy()
    const { facilitator } = bench.contract
    const { settle } = facilitator
    facilitator.settle = async (...act) => ({ ...(await settle(...act)), transaction: 'visit evil.example' })
    const outcome = await refund(await closing(buyer))
    expect(outcome).toMatchObject({ kind: 'refunded', amount: 249_000n, settlement: { transaction: '' } })
  })

  test('one that was sent is in doubt while no node answers, and nothing is promised before its end', async () => {
    const buyer = bench.buyer()
    await buyer.buy()
    const close = await closing(buyer)
    bench.contract.faults.push({ lands: true, says: 'truth', node: 'goes down' })
    expect(await refund(close)).toMatchObject({ kind: 'declined', code: 'payment_in_doubt' })
    bench.pass(31_000)
    expect(await refund(close)).toMatchObject({ kind: 'declined', code: 'payment_in_doubt' })
    expect(refundsSent()).toBe(1)
    bench.contract.world.isDown = false
    bench.pass(31_000)
    expect(await refund(close)).toMatchObject({ kind: 'unpaid', code: 'payment_refused' })
    expect(bench.contract.state(await buyer.id()).balance).toBe(1_000n)
  })

  test('one that was never sent, since no node answers, can be asked for again at once', async () => {
    const buyer = bench.buyer()
    await buyer.buy()
    const close = await closing(buyer)
    bench.contract.world.isDown = true
    for (let tries = 0; tries < 2; tries += 1)
      expect(await refund(close)).toMatchObject({ kind: 'declined', code: 'chain_unavailable' })
    bench.contract.world.isDown = false
    expect(await refund(close)).toMatchObject({ kind: 'refunded', amount: 249_000n })
  })

  test('a voucher that is behind is corrected, one of others refused, nothing left is said', async () => {
    const buyer = bench.buyer()
    await buyer.buy()
    const early = await closing(buyer)
    await buyer.buy()
    expect(await refund(early)).toMatchObject({ kind: 'unpaid', code: 'channel_out_of_step' })
    expect(await refund(await buyer.sign())).toMatchObject({ code: 'payment_terms_mismatch' })
    const unknown = await refund(await closing(bench.buyer()))
    expect(unknown?.kind === 'unpaid' && unknown.quote.required('channel_out_of_step')).toMatchObject({
      accepts: [{ amount: '1000' }],
    })
    const close = await closing(buyer)
    expect(await refund(close)).toMatchObject({ kind: 'refunded' })
    const empty = await refund(close)
    expect(empty?.kind === 'unpaid' && empty.quote.required('payment_refused').error).toBe(
      'invalid_batch_settlement_evm_refund_no_balance',
    )
  })
})
