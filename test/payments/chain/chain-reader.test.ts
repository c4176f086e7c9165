import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ChainUnavailable } from '../../../src/payments/chain/chain-reader.ts'
import { TOKEN } from '../../../src/sandbox/addresses.ts'
import type { ChainBackend } from '../../../src/sandbox/chain/anvil-backend.ts'
import { BACKENDS } from '../../support/chain-backends.ts'
import {
  batchOf,
  cancelCall,
  freshAccount,
  type SignedPayment,
  signPayment,
  termsFor,
  transferCall,
} from '../../support/chain-payments.ts'

describe.each(BACKENDS)('reading a chain (%s)', (_, start) => {
  const payer = freshAccount()
  const payTo = freshAccount().address
  const stranger = freshAccount().address
  let chain: ChainBackend
  let begun: number

  beforeAll(async () => {
    begun = Date.now()
    chain = await start()
    await chain.fund(payer.address, 1_000_000n)
  })
  afterAll(() => chain.stop())

  const sign = (to = payTo, amount = '1000') => signPayment(payer, termsFor(to, amount))
  const ask = ({ transfer }: SignedPayment) => ({
    payer: transfer.from,
    nonce: transfer.nonce,
    payTo,
    amount: 1000n,
  })
  const settle = (payment: SignedPayment) => chain.transact(TOKEN, transferCall(payment))

  test('names the chain, its clock and who holds code', async () => {
    const head = await chain.chainReader.head()
    expect(await chain.chainReader.chainId()).toBe(8453)
    expect(head.timestamp).toBeGreaterThanOrEqual(Math.floor(begun / 1000))
    expect(head.timestamp - Date.now() / 1000).toBeLessThan(30)
    expect(await chain.chainReader.block(head.number)).toEqual(head)
    expect(await chain.chainReader.hasCode(TOKEN)).toBe(true)
    expect(await chain.chainReader.hasCode(payer.address)).toBe(false)
  })

  test('a block that does not exist yet is no answer', async () => {
    const { number } = await chain.chainReader.head()
    await expect(chain.chainReader.block(number + 1_000n)).rejects.toThrow(ChainUnavailable)
  })

  test('an unused authorization is unused, at any block', async () => {
    const payment = await sign()
    const { number } = await chain.chainReader.head()
    expect(await chain.chainReader.trace(ask(payment))).toEqual({ kind: 'unused' })
    expect(await chain.chainReader.authorizationUsed(payer.address, payment.transfer.nonce, number)).toBe(
      false,
    )
  })

  test('a payment is found with its place on the chain, and moves the balance', async () => {
    const before = await chain.chainReader.balance(payer.address)
    const { number: earlier } = await chain.chainReader.head()
    const payment = await sign()
    const transaction = await settle(payment)
    const trace = await chain.chainReader.trace(ask(payment))
    if (trace.kind !== 'used') throw new Error('expected a used authorization')
    const [found] = trace.payments
    expect(trace.payments).toHaveLength(1)
    expect(found).toMatchObject({ transaction, logIndex: 0 })
    expect(found?.blockNumber).toBeGreaterThan(earlier)
    const mined = await chain.chainReader.block(found?.blockNumber ?? 0n)
    expect(await chain.chainReader.balance(payer.address)).toBe(before - 1000n)

    const { nonce } = payment.transfer
    expect(await chain.chainReader.authorizationUsed(payer.address, nonce)).toBe(true)
    expect(await chain.chainReader.authorizationUsed(payer.address, nonce, mined.number)).toBe(true)
    expect(await chain.chainReader.authorizationUsed(payer.address, nonce, mined.number - 1n)).toBe(false)
  })

  test('addresses and nonces are compared without case', async () => {
    const payment = await sign()
    await settle(payment)
    const query = {
      ...ask(payment),
      payer: payer.address.toLowerCase() as typeof payTo,
      payTo: payTo.toLowerCase() as typeof payTo,
      nonce: `0x${payment.transfer.nonce.slice(2).toUpperCase()}` as const,
    }
    expect(await chain.chainReader.trace(query)).toMatchObject({ kind: 'used', payments: [{ logIndex: 0 }] })
  })

  test('paid to another account, or another amount, is used and no payment of ours', async () => {
    const elsewhere = await sign(stranger)
    const less = await sign(payTo, '999')
    await settle(elsewhere)
    await settle(less)
    expect(await chain.chainReader.trace(ask(elsewhere))).toMatchObject({
      payments: [],
      elsewhere: [{ logIndex: 0 }],
    })
    expect(await chain.chainReader.trace(ask(less))).toMatchObject({
      payments: [],
      elsewhere: [{ logIndex: 0 }],
    })
  })

  test('a canceled authorization is never a payment', async () => {
    const payment = await sign()
    await chain.transact(TOKEN, await cancelCall(payer, payment.transfer.nonce))
    expect(await chain.chainReader.trace(ask(payment))).toEqual({ kind: 'canceled' })
    expect(await chain.chainReader.authorizationUsed(payer.address, payment.transfer.nonce)).toBe(true)
  })

  test('in a batch each transfer counts for its own authorization alone', async () => {
    const elsewhere = await sign(stranger)
    const ours = await sign()
    const secondOfOurs = await sign()
    await chain.transact(...batchOf(...[elsewhere, ours, secondOfOurs].map(transferCall)))
    expect(await chain.chainReader.trace(ask(elsewhere))).toMatchObject({
      payments: [],
      elsewhere: [{ logIndex: 0 }],
    })
    expect(await chain.chainReader.trace(ask(ours))).toMatchObject({ payments: [{ logIndex: 2 }] })
    expect(await chain.chainReader.trace(ask(secondOfOurs))).toMatchObject({ payments: [{ logIndex: 4 }] })
  })

  test('a transfer by other means right after a foreign one does not count', async () => {
    const elsewhere = await sign(stranger)
    const other = freshAccount()
    await chain.fund(other.address, 1000n)
    const byOther = await signPayment(other, termsFor(payTo))
    await chain.transact(...batchOf(transferCall(elsewhere), transferCall(byOther)))
    expect(await chain.chainReader.trace(ask(elsewhere))).toMatchObject({
      payments: [],
      elsewhere: [{ logIndex: 0 }],
    })
    const byOtherQuery = { ...ask(byOther), payer: other.address }
    expect(await chain.chainReader.trace(byOtherQuery)).toMatchObject({ payments: [{ logIndex: 2 }] })
  })

  test('logs older than the block to search from are left alone', async () => {
    const payment = await sign()
    await settle(payment)
    const { number } = await chain.chainReader.head()
    const trace = await chain.chainReader.trace({ ...ask(payment), fromBlock: number + 1n })
    expect(trace).toEqual({ kind: 'used', payments: [], elsewhere: [] })
  })

  test('every transfer to an account is listed, with the nonce of its authorization if it has one', async () => {
    const { number: before } = await chain.chainReader.head()
    const ours = await sign()
    const elsewhere = await sign(stranger)
    const transaction = await chain.transact(...batchOf(transferCall(elsewhere), transferCall(ours)))
    await chain.fund(payTo, 5n)
    const { number: head } = await chain.chainReader.head()
    const { transfers, toBlock } = await chain.chainReader.transfersTo(payTo, before + 1n, head)
    expect(toBlock).toBe(head)
    expect(transfers).toHaveLength(2)
    expect(transfers[0]).toMatchObject({
      transaction,
      logIndex: 2,
      from: payer.address.toLowerCase(),
      amount: 1000n,
      nonce: ours.transfer.nonce,
    })
    expect(transfers[1]).toMatchObject({ logIndex: 0, amount: 5n, nonce: null })
    const beyond = chain.chainReader.transfersTo(payTo, head + 1n, head + 1n)
    expect(await beyond.catch(() => ({ transfers: [] }))).toMatchObject({ transfers: [] })
  })
})
