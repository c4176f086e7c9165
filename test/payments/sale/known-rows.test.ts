import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ChainUnavailable } from '../../../src/payments/chain/chain-reader.ts'
import { type SaleBench, startSaleBench } from '../../support/sale-bench.ts'

let bench: SaleBench
beforeEach(async () => {
  bench = await startSaleBench()
})
afterEach(() => bench.stop())

const ELSEWHERE = `0x${'42'.repeat(20)}` as const

/** A node that answers nothing. */
function nodeDown(): void {
  for (const name of ['head', 'block', 'hasCode', 'balance', 'authorizationUsed', 'trace'])
    bench.reader[name] = () => Promise.reject(new ChainUnavailable('down'))
}

describe('a payment whose row is known, after PAY_TO changed', () => {
  test('is answered again, also while the node is down', async () => {
    const { rawPayment } = await (await bench.buyer()).sign()
    const first = await bench.sell(rawPayment)
    await bench.restart({ payTo: ELSEWHERE })
    nodeDown()
    expect(await bench.sell(rawPayment)).toMatchObject({
      kind: 'sold',
      replayed: true,
      settlement: first.kind === 'sold' ? first.settlement : null,
    })
  })

  test('is sent again in doubt, to the payee it was signed for', async () => {
    const { rawPayment } = await (await bench.buyer()).sign()
    bench.facilitator.script.push({ says: 'unknown' })
    expect(await bench.sell(rawPayment)).toMatchObject({ code: 'payment_in_doubt' })
    await bench.restart({ payTo: ELSEWHERE })
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold' })
    expect(await bench.charged()).toBe(1)
  })

  test('is sold when nothing was sent for it yet', async () => {
    const { rawPayment } = await (await bench.buyer()).sign()
    bench.facilitator.script.push({ says: 'not_sent' })
    await bench.sell(rawPayment)
    await bench.restart({ payTo: ELSEWHERE })
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold', replayed: false })
    expect(await bench.charged()).toBe(1)
  })

  test('does not make the old terms good for a new payment', async () => {
    const { rawPayment } = await (await bench.buyer()).sign()
    await bench.restart({ payTo: ELSEWHERE })
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'unpaid', code: 'payment_terms_mismatch' })
    expect(bench.facilitator.settled).toHaveLength(0)
  })
})
