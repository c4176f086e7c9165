import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createKeyring } from '../../../src/payments/secrets/keyring.ts'
import { GOOD_IBAN, type SaleBench, startSaleBench } from '../../support/sale-bench.ts'

const HOUR = 3_600_000

let bench: SaleBench
beforeEach(async () => {
  bench = await startSaleBench()
})
afterEach(() => bench.stop())

async function sold() {
  const buyer = await bench.buyer()
  const payment = await buyer.sign()
  const sale = await bench.sell(payment.proof)
  if (sale.kind !== 'sold') throw new Error(sale.code)
  return { buyer, sale, ...payment }
}

describe('a repeat of a paid call', () => {
  test('gets the same verdict and an equal receipt, and is not settled again', async () => {
    const { proof, sale } = await sold()
    const again = await bench.sell(proof)
    expect(again).toMatchObject({
      kind: 'sold',
      replayed: true,
      rulesetChanged: false,
      verdict: sale.verdict,
      settlement: sale.settlement,
    })
    expect(bench.facilitator.settled).toHaveLength(1)
  })

  test('is answered after a restart, after validBefore, with the facilitator and the chain down, for an hour', async () => {
    const { proof, sale } = await sold()
    await bench.restart()
    bench.money.flows = false
    bench.reader.head = () => Promise.reject(new Error('down'))
    bench.clock.advance(HOUR - 5_000)
    expect(await bench.sell(proof)).toMatchObject({
      kind: 'sold',
      replayed: true,
      settlement: sale.settlement,
    })
  })

  test('is told that the window is over after that, whatever it asks for, and never to pay', async () => {
    const { proof } = await sold()
    bench.clock.advance(HOUR + 1_000)
    for (const call of [bench.call(), bench.call('x')])
      expect(await bench.sell(proof, call)).toEqual({ kind: 'declined', code: 'replay_window_over' })
  })

  test('finds no binding once the window is over, and the row still there', async () => {
    const { proof, buyer, nonce } = await sold()
    await bench.purge()
    expect((await bench.row(buyer, nonce)).binding).not.toBeNull()
    bench.clock.advance(HOUR + 1_000)
    await bench.purge()
    expect(await bench.row(buyer, nonce)).toMatchObject({ state: 'settled', binding: null, salt: null })
    bench.clock.advance(48 * HOUR)
    await bench.purge()
    expect(await bench.sell(proof)).toEqual({ kind: 'declined', code: 'replay_window_over' })
  })

  test('says so when the rules have changed since', async () => {
    const { proof } = await sold()
    await bench.restart({ rulesets: { iban: 'iban:newer' } })
    expect(await bench.sell(proof)).toMatchObject({ kind: 'sold', replayed: true, rulesetChanged: true })
  })

  test('is recognised while the secret key is being rotated', async () => {
    const [old, fresh] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
    await bench.restart({ keys: createKeyring(old) })
    const { proof, sale } = await sold()
    await bench.restart({ keys: createKeyring(fresh, old) })
    expect(await bench.sell(proof, bench.call('other'))).toMatchObject({ code: 'payment_already_used' })
    expect(await bench.sell(proof)).toMatchObject({
      kind: 'sold',
      replayed: true,
      settlement: sale.settlement,
    })
  })
})

describe('trying values out on a paid call', () => {
  test('is slowed down after five, more and more, whether the next value is right or not', async () => {
    const { proof } = await sold()
    for (let tried = 0; tried < 5; tried += 1)
      expect(await bench.sell(proof, bench.call(`guess ${tried}`))).toMatchObject({
        code: 'payment_already_used',
      })
    const waits: (number | undefined)[] = []
    for (const value of [GOOD_IBAN, 'wrong', GOOD_IBAN]) {
      const sale = await bench.sell(proof, bench.call(value))
      expect(sale).toMatchObject({ kind: 'declined', code: 'too_many_requests' })
      waits.push(sale.kind === 'declined' ? sale.retryAfterSeconds : undefined)
    }
    expect(waits[0]).toBeGreaterThan(0)
    expect(waits[2]).toBeGreaterThan(waits[0] as number)
    bench.clock.advance((waits[2] as number) * 1_000)
    expect(await bench.sell(proof)).toMatchObject({ kind: 'sold', replayed: true })
  })

  test('is counted over restarts and over replicas', async () => {
    const { proof } = await sold()
    for (let tried = 0; tried < 3; tried += 1) await bench.sell(proof, bench.call(`guess ${tried}`))
    await bench.restart()
    for (let tried = 3; tried < 5; tried += 1) await bench.sell(proof, bench.call(`guess ${tried}`))
    expect(await bench.sell(proof)).toMatchObject({ code: 'too_many_requests' })
  })

  test('at once is no way around it', async () => {
    const { proof } = await sold()
    const sales = await Promise.all(
      Array.from({ length: 12 }, (_, tried) => bench.sell(proof, bench.call(`guess ${tried}`))),
    )
    const codes = sales.map((sale) => (sale.kind === 'declined' ? sale.code : sale.kind))
    expect(codes.filter((code) => code === 'payment_already_used')).toHaveLength(5)
    expect(codes.filter((code) => code === 'too_many_requests')).toHaveLength(7)
  })

  test('writes as much for the right value as for a wrong one', async () => {
    const { proof } = await sold()
    const writes = async (value: string) => {
      const before = bench.storeCalls.length
      await bench.sell(proof, bench.call(value))
      return bench.storeCalls.slice(before)
    }
    expect(await writes(GOOD_IBAN)).toEqual(await writes('wrong'))
  })
})
