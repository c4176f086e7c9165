import { authorizationTypes } from '@x402/evm'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { depositNonce } from '../../../src/payments/channels/voucher/digests.ts'
import { BASE } from '../../../src/payments/networks/base.ts'
import { type ChannelBench, startChannelBench } from '../../support/channel-bench.ts'

let bench: ChannelBench
beforeEach(async () => {
  bench = await startChannelBench()
})
afterEach(() => bench.stop())

type Buyer = ReturnType<ChannelBench['buyer']>
interface DepositPayload {
  readonly voucher: { readonly channelId: string }
  readonly deposit: {
    amount: string
    readonly authorization: {
      readonly erc3009Authorization: Record<'validAfter' | 'validBefore' | 'salt' | 'signature', string>
    }
  }
}

const charged = async (id: string) => (await bench.store.findChannel(id))?.charged ?? null

describe('deposits', () => {
  test('one that landed although its answer was lost is charged for one call', async () => {
    const buyer = bench.buyer()
    bench.contract.faults.push({ lands: true, says: 'nothing' })
    expect(await buyer.buy()).toMatchObject({ kind: 'sold', replayed: false })
    expect(await charged(await buyer.id())).toBe(1_000n)
    const [deposit] = await bench.store.depositsWith(await buyer.id(), 1_000n)
    expect(deposit).toMatchObject({ state: 'landed', owner: null })
  })

  test('one that did not land is in doubt, and the same request sends it again', async () => {
    const buyer = bench.buyer()
    bench.contract.faults.push({ lands: false, says: 'nothing' })
    const rawPayment = await buyer.sign()
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'declined', code: 'payment_in_doubt' })
    const sale = await bench.sell(rawPayment)
    expect(sale).toMatchObject({ kind: 'sold', replayed: false })
    expect(bench.contract.state(await buyer.id()).balance).toBe(250_000n)
  })

  test('a facilitator that says so without having done it is not believed', async () => {
    const buyer = bench.buyer()
    const rawPayment = await buyer.sign()
    bench.contract.faults.push({ lands: false, says: { errorReason: 'settlement_pending' } })
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'declined', code: 'payment_in_doubt' })
    expect(await charged(await buyer.id())).toBeNull()
  })

  test.each([
    'constructor',
    'toString',
    '__proto__',
  ])('the reason %s, which every object has, proves nothing', async (errorReason) => {
    const buyer = bench.buyer()
    const rawPayment = await buyer.sign()
    bench.contract.faults.push({ lands: false, says: { errorReason } })
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'declined', code: 'payment_in_doubt' })
  })

  test('a refusal that names a transaction of any form proves nothing', async () => {
    const errorReason = 'invalid_batch_settlement_evm_insufficient_balance'
    const buyer = bench.buyer()
    bench.contract.faults.push({ lands: false, says: { errorReason, transaction: 7 } })
    expect(await bench.sell(await buyer.sign())).toMatchObject({ code: 'payment_in_doubt' })
  })

  test('while one may still be mined, another signed for the same call waits; after its end it is sent', async () => {
    const buyer = bench.buyer()
    bench.contract.faults.push({ lands: false, says: 'nothing' })
    await bench.sell(await buyer.sign())
    const again = await buyer.sign()
    expect(await bench.sell(again)).toMatchObject({ kind: 'declined', code: 'payment_in_doubt' })
    expect(bench.contract.sent).toEqual(['deposit'])
    bench.pass(200_000)
    // The client signs for the time of the machine, which this bench's clock has left behind.
    expect(await bench.sell(again)).toMatchObject({ kind: 'unpaid', code: 'payment_expired' })
    expect(bench.contract.sent).toEqual(['deposit'])
  })

  test('a client that never heard of its deposit and signs another one does not pay twice', async () => {
    const buyer = bench.buyer()
    const first = await buyer.sign()
    await bench.sell(first)
    // Its reply was lost, and this client reads no chain: the next payment is another deposit.
    const deaf = { ...first.payload, payload: await anotherDeposit(buyer) }
    const sale = await bench.sell({ kind: 'object', payload: deaf })
    expect(sale).toMatchObject({ kind: 'sold', replayed: true })
    expect(bench.contract.sent).toEqual(['deposit'])
    expect(bench.contract.state(await buyer.id()).balance).toBe(250_000n)
  })

  test('the same after a crash between the chain and the store', async () => {
    const buyer = bench.buyer()
    const first = await buyer.sign()
    bench.faults.push({ method: 'openChannel', when: 'before' })
    expect(await bench.sell(first)).toMatchObject({ kind: 'declined', code: 'payment_in_doubt' })
    bench.faults.length = 0
    await bench.restart()
    const deaf = { ...first.payload, payload: await anotherDeposit(buyer) }
    expect(await bench.sell({ kind: 'object', payload: deaf })).toMatchObject({
      kind: 'sold',
      replayed: false,
    })
    expect(bench.contract.sent).toEqual(['deposit'])
  })

  test('two deposits for one call at the same moment, one to each replica: at most one is sent', async () => {
    const buyer = bench.buyer()
    const other = await bench.replica()
    const first = await buyer.sign()
    const second = {
      kind: 'object',
      payload: { ...first.payload, payload: await anotherDeposit(buyer) },
    } as const
    const sales = await Promise.all([bench.sell(first), other.sell(bench.call(), second)])
    expect(bench.contract.sent.length).toBeLessThanOrEqual(1)
    for (const sale of sales)
      expect(sale).toSatisfy(({ kind, code }) => kind === 'sold' || code === 'payment_in_doubt')
    expect(await bench.sell(first)).toMatchObject({ kind: 'sold' })
    expect(await other.sell(bench.call(), second)).toMatchObject({ kind: 'sold', replayed: true })
    expect(bench.contract.sent).toEqual(['deposit'])
    expect(bench.contract.state(await buyer.id()).balance).toBe(250_000n)
  })

  test('after its money has left the channel, an earlier deposit does not stand for a new one', async () => {
    const buyer = bench.buyer()
    const first = await buyer.sign()
    bench.faults.push({ method: 'openChannel', when: 'before' })
    expect(await bench.sell(first)).toMatchObject({ code: 'payment_in_doubt' })
    bench.faults.length = 0
    // The payer gives up and takes its deposit out; later it comes back.
    bench.contract.change(await buyer.id(), { balance: 0n })
    const second = {
      kind: 'object',
      payload: { ...first.payload, payload: await anotherDeposit(buyer) },
    } as const
    expect(await bench.sell(second)).toMatchObject({ kind: 'sold', replayed: false })
    expect(bench.contract.sent).toEqual(['deposit', 'deposit'])
  })

  test('an earlier deposit of another sum does not stand for a new one', async () => {
    const buyer = bench.buyer()
    const first = await buyer.sign()
    bench.contract.faults.push({ lands: false, says: 'nothing' })
    expect(await bench.sell(first)).toMatchObject({ code: 'payment_in_doubt' })
    const larger = { ...first.payload, payload: await anotherDeposit(buyer, '300000') }
    expect(await bench.sell({ kind: 'object', payload: larger })).toMatchObject({ kind: 'sold' })
    expect(bench.contract.sent).toEqual(['deposit', 'deposit'])
    expect(bench.contract.state(await buyer.id()).balance).toBe(300_000n)
  })

  test('after its end one is not sent again, also while the chain is behind the clock', async () => {
    const buyer = bench.buyer()
    const rawPayment = await buyer.sign()
    bench.contract.faults.push({ lands: false, says: 'nothing' })
    expect(await bench.sell(rawPayment)).toMatchObject({ code: 'payment_in_doubt' })
    bench.clock.at += 3_600_000
    expect(await bench.sell(rawPayment)).toMatchObject({ code: 'payment_in_doubt' })
    expect(bench.contract.sent).toEqual(['deposit'])
  })

  test('a node that is behind an earlier deposit has no new one sent', async () => {
    const buyer = bench.buyer()
    const first = await buyer.sign()
    bench.faults.push({ method: 'openChannel', when: 'before' })
    await bench.sell(first)
    bench.faults.length = 0
    const again = { ...first.payload, payload: await anotherDeposit(buyer) }
    bench.contract.world.isBehind = true
    expect(await bench.sell({ kind: 'object', payload: again })).toMatchObject({ code: 'payment_in_doubt' })
    expect(bench.contract.sent).toEqual(['deposit'])
  })

  test('a refusal that proves that nothing was sent charges nothing and can be tried again', async () => {
    const buyer = bench.buyer()
    const rawPayment = await buyer.sign()
    const errorReason = 'invalid_batch_settlement_evm_insufficient_balance'
    bench.contract.faults.push({ lands: false, says: { errorReason } })
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'unpaid', code: 'payment_insufficient_funds' })
    expect(bench.deposits()).toEqual([])
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold' })
    expect(await charged(await buyer.id())).toBe(1_000n)
  })

  test('one that was refused is written down again if it is sent again: with the end that it has then', async () => {
    const buyer = bench.buyer()
    const rawPayment = await buyer.sign()
    bench.contract.faults.push({
      ...{ lands: false, says: { errorReason: 'invalid_batch_settlement_evm_insufficient_balance' } },
    })
    await bench.sell(rawPayment)
    const later = await signedUntil(buyer, rawPayment, 200)
    bench.contract.faults.push({ lands: false, says: 'nothing' })
    expect(await bench.sell(later)).toMatchObject({ code: 'payment_in_doubt' })
    // Past the end of the first signature; the second one may still be mined.
    bench.pass(150_000)
    await bench.layer.channels?.maintenance.run()
    expect(await bench.sell(later)).toMatchObject({ kind: 'sold' })
  })

  test.each([
    ['another end', 10_000_000, 0n],
    ['another sum', 0, 1n],
  ])('while one is in doubt, its nonce signed again with %s is not sent: the row is of the first', async (_what, seconds, more) => {
    const buyer = bench.buyer()
    const rawPayment = await buyer.sign()
    bench.contract.faults.push({ lands: false, says: 'nothing' })
    expect(await bench.sell(rawPayment)).toMatchObject({ code: 'payment_in_doubt' })
    const other = await signedUntil(buyer, rawPayment, seconds, more)
    expect(await bench.sell(other)).toMatchObject({ code: 'payment_in_doubt' })
    expect(bench.contract.sent).toEqual(['deposit'])
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold' })
  })

  test('one that can no longer be mined leaves no row, and is expired at each repeat', async () => {
    const rawPayment = await bench.buyer().sign()
    bench.contract.faults.push({ lands: false, says: 'nothing' })
    await bench.sell(rawPayment)
    expect(bench.deposits()).toHaveLength(1)
    bench.pass(200_000)
    await bench.layer.channels?.maintenance.run()
    expect(bench.deposits()).toEqual([])
    for (let times = 0; times < 2; times += 1)
      expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'unpaid', code: 'payment_expired' })
    expect(bench.contract.sent).toEqual(['deposit'])
  })

  test('a refusal of the second try says nothing of the first, which may still be mined', async () => {
    const buyer = bench.buyer()
    const rawPayment = await buyer.sign()
    const errorReason = 'invalid_batch_settlement_evm_insufficient_balance'
    bench.contract.faults.push({ lands: false, says: 'nothing' }, { lands: false, says: { errorReason } })
    expect(await bench.sell(rawPayment)).toMatchObject({ code: 'payment_in_doubt' })
    expect(await bench.sell(rawPayment)).toMatchObject({ code: 'payment_in_doubt' })
    expect(await bench.sell(await buyer.sign())).toMatchObject({ code: 'payment_in_doubt' })
    expect(bench.contract.sent).toEqual(['deposit', 'deposit'])
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold' })
    expect(await charged(await buyer.id())).toBe(1_000n)
  })

  test('one for a call that no bound leaves room for is not sent', async () => {
    const other = bench.buyer()
    await other.buy()
    const row = await bench.store.findChannel(await other.id())
    if (row === null) throw new Error('no channel')
    bench.contract.change(row.id, { balance: 60_000_000n })
    await bench.store.moveChannel(row, { balance: 60_000_000n, charged: 60_000_000n })
    await bench.layer.channels?.maintenance.run()

    const buyer = bench.buyer()
    const rawPayment = await buyer.sign()
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'declined', code: 'facilitator_unavailable' })
    expect(bench.contract.sent).toEqual(['deposit'])
    expect(bench.events).toContain('channel_exposure_reached')
    await bench.store.moveChannel((await bench.store.findChannel(row.id)) as typeof row, { charged: 1_000n })
    await bench.layer.channels?.maintenance.run()
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold' })
  })

  test('one that was sent is in doubt while no node answers, however often it is asked for', async () => {
    const buyer = bench.buyer()
    const rawPayment = await buyer.sign()
    bench.contract.faults.push({ lands: true, says: 'truth', node: 'goes down' })
    const inDoubt = { kind: 'declined', code: 'payment_in_doubt', awaitsRepeat: true }
    expect(await bench.sell(rawPayment)).toMatchObject(inDoubt)
    expect(await bench.sell(rawPayment)).toMatchObject(inDoubt)
    const another = { ...rawPayment.payload, payload: await anotherDeposit(buyer) }
    expect(await bench.sell({ kind: 'object', payload: another })).toMatchObject(inDoubt)
    bench.contract.world.isDown = false
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold', replayed: false })
    expect(bench.contract.sent).toEqual(['deposit'])
    expect(await charged(await buyer.id())).toBe(1_000n)
  })

  test('while its replica may still be sending it, another for the same voucher waits at the others', async () => {
    const buyer = bench.buyer()
    const other = await bench.replica()
    const first = await buyer.sign()
    bench.contract.faults.push({ lands: true, says: 'truth', node: 'goes down' })
    expect(await bench.sell(first)).toMatchObject({ code: 'payment_in_doubt' })
    bench.contract.world.isDown = false
    const second = {
      kind: 'object',
      payload: { ...first.payload, payload: await anotherDeposit(buyer) },
    } as const
    for (const payment of [first, second])
      expect(await other.sell(bench.call(), payment)).toMatchObject({ code: 'payment_in_doubt' })
    expect(await bench.sell(second)).toMatchObject({ kind: 'sold', replayed: false })
    expect(bench.contract.sent).toEqual(['deposit'])
  })

  test('one that is known to be in is in doubt while no node shows the channel', async () => {
    const buyer = bench.buyer()
    const rawPayment = await buyer.sign()
    bench.faults.push({ method: 'openChannel', when: 'before' })
    expect(await bench.sell(rawPayment)).toMatchObject({ code: 'payment_in_doubt' })
    bench.faults.length = 0
    bench.contract.world.isDown = true
    expect(await bench.sell(rawPayment)).toMatchObject({ code: 'payment_in_doubt', awaitsRepeat: true })
    bench.contract.world.isDown = false
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold', replayed: false })
    expect(bench.contract.sent).toEqual(['deposit'])
  })

  test('too small a one is refused unsent', async () => {
    const buyer = bench.buyer()
    const terms = await buyer.terms()
    const accepted = { ...terms, extra: { ...terms.extra, minDeposit: '5000' } }
    const { payload } = await buyer.scheme.createPaymentPayload(2, accepted)
    const sale = await bench.sell({ kind: 'object', payload: { x402Version: 2, accepted, payload } })
    expect(sale).toMatchObject({ kind: 'unpaid', code: 'payment_terms_mismatch' })
    expect(bench.contract.sent).toEqual([])
  })

  test('a node that is down charges nothing', async () => {
    const buyer = bench.buyer()
    const rawPayment = await buyer.sign()
    bench.contract.world.isDown = true
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'declined', code: 'chain_unavailable' })
    bench.contract.world.isDown = false
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold' })
  })
})

/** The same deposit with a later end, and more money: under the same salt, its nonce is the same. */
async function signedUntil(
  buyer: Buyer,
  rawPayment: Awaited<ReturnType<Buyer['sign']>>,
  seconds: number,
  more = 0n,
) {
  const { payload } = structuredClone(rawPayment.payload) as never as { payload: DepositPayload }
  const { deposit } = payload
  const { erc3009Authorization: signed } = deposit.authorization
  deposit.amount = String(BigInt(deposit.amount) + more)
  signed.validBefore = String(Number(signed.validBefore) + seconds)
  signed.signature = await buyer.account.signTypedData({
    domain: { name: 'USD Coin', version: '2', chainId: BASE.chainId, verifyingContract: BASE.token.address },
    types: { ReceiveWithAuthorization: authorizationTypes.TransferWithAuthorization },
    primaryType: 'ReceiveWithAuthorization',
    message: {
      ...{ from: buyer.account.address, to: BASE.contracts.depositCollector, value: BigInt(deposit.amount) },
      ...{ validAfter: BigInt(signed.validAfter), validBefore: BigInt(signed.validBefore) },
      nonce: depositNonce(payload.voucher.channelId, BigInt(signed.salt)),
    },
  })
  return { kind: 'object', payload: { ...rawPayment.payload, payload } } as const
}

/** A deposit for the same voucher with a new signature, as a client without the chain makes it. */
async function anotherDeposit(buyer: Buyer, sum?: string) {
  const terms = await buyer.terms()
  const { BatchSettlementEvmScheme } = await import('@x402/evm/batch-settlement/client')
  const config = buyer.scheme.buildChannelConfig(terms)
  const strategy =
    sum === undefined ? {} : { depositStrategy: () => sum, depositPolicy: { depositMultiplier: 1_000 } }
  const deaf = new BatchSettlementEvmScheme(buyer.account, { salt: config.salt, ...strategy })
  return (await deaf.createPaymentPayload(2, terms)).payload
}
