import { randomBytes } from 'node:crypto'
import { BatchSettlementEvmScheme } from '@x402/evm/batch-settlement/client'
import { toHex } from 'viem'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { freshAccount } from '../../support/chain-payments.ts'
import { type ChannelBench, startChannelBench } from '../../support/channel-bench.ts'

let bench: ChannelBench
beforeEach(async () => {
  bench = await startChannelBench()
})
afterEach(() => bench.stop())

const BAD_SIGNATURE = {
  lands: false,
  says: { errorReason: 'invalid_batch_settlement_evm_receive_authorization_signature' },
} as const
const NO_ANSWER = { lands: false, says: 'nothing' } as const
const REFUSED = { kind: 'unpaid', code: 'payment_invalid_signature' }
const MUST_WAIT = { kind: 'declined', code: 'too_many_requests' }

/** A deposit in the name of a wallet contract, on a new channel, signed by a key that is its own or a stranger's. */
async function depositOf(wallet: string, key = freshAccount()) {
  const signer = { ...key, address: wallet as `0x${string}` }
  const scheme = new BatchSettlementEvmScheme(signer, { voucherSigner: key, salt: toHex(randomBytes(32)) })
  const accepted = await bench.buyer().terms()
  const { payload } = await scheme.createPaymentPayload(2, accepted)
  return { kind: 'object', payload: { x402Version: 2, accepted, payload } } as const
}

function walletContract(): string {
  const { address } = freshAccount()
  bench.contract.world.wallets.add(address.toLowerCase())
  return address
}

describe('deposits in the name of a wallet contract', () => {
  test('a stranger who signs for a wallet does not keep the wallet from paying', async () => {
    const wallet = walletContract()
    for (let times = 0; times < 3; times += 1) {
      bench.contract.faults.push(BAD_SIGNATURE)
      expect(await bench.sell(await depositOf(wallet), bench.call(undefined, 'stranger'))).toMatchObject(
        REFUSED,
      )
    }
    const sale = await bench.sell(await depositOf(wallet), bench.call(undefined, 'wallet'))
    expect(sale).toMatchObject({ kind: 'sold' })
  })

  test.each([
    ['refused', BAD_SIGNATURE],
    ['left in doubt', NO_ANSWER],
  ])('a client whose deposits are %s must wait, whatever wallets it names', async (_, fault) => {
    for (let times = 0; times < 3; times += 1) {
      bench.contract.faults.push(fault)
      expect(await bench.sell(await depositOf(walletContract()))).not.toMatchObject(MUST_WAIT)
    }
    expect(await bench.sell(await depositOf(walletContract()))).toMatchObject(MUST_WAIT)
    expect(bench.contract.sent).toHaveLength(3)
    expect(await bench.buyer().buy()).toMatchObject({ kind: 'sold' })
  })

  test('one that is left in doubt is sent three times in a minute, however often it is asked for', async () => {
    const rawPayment = await depositOf(walletContract())
    bench.contract.faults.push(...Array.from({ length: 5 }, () => NO_ANSWER))
    for (let times = 0; times < 5; times += 1)
      expect(await bench.sell(rawPayment)).toMatchObject({ code: 'payment_in_doubt' })
    expect(bench.contract.sent).toHaveLength(3)
    bench.contract.faults.length = 0
    bench.pass(61_000)
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold' })
  })

  test('do not keep the client from asking again about a deposit of its own key', async () => {
    bench.contract.faults.push(...Array.from({ length: 4 }, () => NO_ANSWER))
    for (let times = 0; times < 3; times += 1) await bench.sell(await depositOf(walletContract()))
    const rawPayment = await bench.buyer().sign()
    expect(await bench.sell(rawPayment)).toMatchObject({ code: 'payment_in_doubt' })
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold' })
  })

  test('a signature by a key is refused with anything behind it, and is not sent', async () => {
    const rawPayment = await bench.buyer().sign()
    const { deposit } = rawPayment.payload.payload as never as {
      deposit: { authorization: { erc3009Authorization: { signature: string } } }
    }
    const { erc3009Authorization } = deposit.authorization
    erc3009Authorization.signature += '00'
    expect(await bench.sell(rawPayment)).toMatchObject(REFUSED)
    erc3009Authorization.signature = erc3009Authorization.signature.slice(0, -2)
    expect(bench.contract.sent).toEqual([])
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold' })
  })

  test('a payer whose own key signed what is refused must wait', async () => {
    const account = freshAccount()
    const says = { errorReason: 'invalid_batch_settlement_evm_insufficient_balance' }
    for (let times = 0; times < 3; times += 1) {
      bench.contract.faults.push({ lands: false, says })
      expect(await bench.buyer(account).buy()).toMatchObject({ code: 'payment_insufficient_funds' })
    }
    expect(await bench.buyer(account).buy()).toMatchObject(MUST_WAIT)
  })
})

test.each([
  '340282366920938463463374607431768211455',
  String(2 ** 53),
])('a deposit that may be mined until %s is refused unsent: a doubt about it would not end', async (end) => {
  const buyer = bench.buyer()
  const rawPayment = await buyer.sign()
  const { deposit } = rawPayment.payload.payload as never as {
    deposit: { authorization: { erc3009Authorization: { validBefore: string } } }
  }
  deposit.authorization.erc3009Authorization.validBefore = end
  expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'unpaid', code: 'payment_valid_too_long' })
  expect(bench.contract.sent).toEqual([])
})

test('a deposit into a channel whose payer is withdrawing is not sent, since it would buy nothing', async () => {
  const buyer = bench.buyer()
  const id = await buyer.id()
  bench.contract.change(id, { balance: 500n, withdrawRequestedAt: 1 })
  expect(await buyer.buy()).toMatchObject({ kind: 'unpaid', code: 'channel_closing' })
  expect(bench.contract.sent).toEqual([])
  bench.contract.change(id, { withdrawRequestedAt: 0 })
  expect(await buyer.buy()).toMatchObject({ kind: 'sold' })
  expect(bench.contract.sent).toEqual(['deposit'])
})

test('one that was sent before its payer withdrew stays in doubt until the chain tells, and is not sent again', async () => {
  const buyer = bench.buyer()
  const id = await buyer.id()
  bench.contract.change(id, { balance: 500n })
  bench.contract.faults.push(NO_ANSWER)
  const rawPayment = await buyer.sign()
  expect(await bench.sell(rawPayment)).toMatchObject({ code: 'payment_in_doubt' })
  bench.contract.change(id, { withdrawRequestedAt: 1 })
  expect(await bench.sell(rawPayment)).toMatchObject({ code: 'payment_in_doubt' })
  expect(bench.contract.sent).toEqual(['deposit'])
})
