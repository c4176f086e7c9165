import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { TOKEN } from '../../src/sandbox/addresses.ts'
import { callRpc } from '../../src/sandbox/chain/json-rpc.ts'
import { rawPaymentOf } from '../support/bench-buyer.ts'
import { anvilBenchChain } from '../support/bench-chain.ts'
import { batchOf } from '../support/chain-payments.ts'
import { type SaleBench, startSaleBench } from '../support/sale-bench.ts'

let bench: SaleBench
let rpcUrl: string
beforeAll(async () => {
  bench = await startSaleBench({
    chain: async (clock) => {
      const chain = await anvilBenchChain(clock)
      rpcUrl = chain.rpcUrl
      return chain
    },
  })
})
afterAll(() => bench.stop())

/** A wallet that accepts every signature: isValidSignature always returns 0x1626ba7e (ERC-1271). */
const CARELESS_WALLET = '0x631626ba7e60e01b60005260206000f3'
/** A wallet that accepts none. */
const STRICT_WALLET = '0x60006000526020600060003960206000f3'

describe('a sale over a real node', () => {
  test('is settled once for twenty copies, and replayed', async () => {
    const before = await bench.charged()
    const { rawPayment } = await (await bench.buyer()).sign()
    const sales = await Promise.all(Array.from({ length: 20 }, () => bench.sell(rawPayment)))
    for (const sale of sales) expect(sale).toMatchObject({ kind: 'sold', verdicts: [{ valid: true }] })
    expect(await bench.charged()).toBe(before + 1)
  })

  test('is answered from the chain when the facilitator’s word is lost', async () => {
    const buyer = await bench.buyer()
    const { rawPayment, nonce } = await buyer.sign()
    bench.facilitator.script.push({ lands: 'before', says: 'unknown' })
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold' })
    expect(await bench.row(buyer, nonce)).toMatchObject({ state: 'settled', audit: null })
  })

  test('is one of many payments in one transaction, each of which settles its own row', async () => {
    const buyer = await bench.buyer()
    const [one, two] = [await buyer.sign(), await buyer.sign()]
    bench.facilitator.script.push({ says: 'unknown' }, { says: 'unknown' })
    await bench.sell(one.rawPayment, bench.call('one'))
    await bench.sell(two.rawPayment, bench.call('two'))
    await bench.chain.transact(...batchOf(one.transfer, two.transfer))
    expect(await bench.sell(one.rawPayment, bench.call('one'))).toMatchObject({ kind: 'sold' })
    expect(await bench.sell(two.rawPayment, bench.call('two'))).toMatchObject({ kind: 'sold' })
    const rows = [await bench.row(buyer, one.nonce), await bench.row(buyer, two.nonce)]
    expect(rows[0]?.transaction).toBe(rows[1]?.transaction)
    expect(rows[0]?.logIndex).not.toBe(rows[1]?.logIndex)
  })

  test('is not sold when the authorization was canceled', async () => {
    const buyer = await bench.buyer()
    const canceled = await buyer.sign()
    bench.facilitator.script.push({ says: 'unknown' })
    await bench.sell(canceled.rawPayment)
    await bench.chain.transact(TOKEN, await buyer.cancel(canceled.nonce))
    expect(await bench.sell(canceled.rawPayment)).toMatchObject({ kind: 'unpaid', code: 'payment_expired' })
    expect(await bench.row(buyer, canceled.nonce)).toMatchObject({ state: 'void' })
  })

  test('is paid by a contract whose word the chain takes, and by none whose word it does not', async () => {
    const before = await bench.charged()
    for (const [code, outcome] of [
      [CARELESS_WALLET, { kind: 'sold' }],
      [STRICT_WALLET, { kind: 'unpaid', code: 'payment_invalid_signature' }],
    ] as const) {
      const wallet = await bench.buyer()
      await callRpc(rpcUrl, 'anvil_setCode', [wallet.address, code])
      const { payload } = await wallet.sign()
      const signed = { ...payload, payload: { ...payload.payload, signature: `0x${'ab'.repeat(100)}` } }
      expect(await bench.sell(rawPaymentOf(signed))).toMatchObject(outcome)
    }
    expect(await bench.charged()).toBe(before + 1)
  })
})
