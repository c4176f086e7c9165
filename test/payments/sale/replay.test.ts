import { ibanCheck } from 'format-checker-checks/iban'
import { IBAN } from 'format-checker-checks/internal/iban/profile'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { BANK_LISTS, bankFinder } from '../../../packages/checks/src/iban/bank-lists.ts'
import { createKeyring } from '../../../src/payments/secrets/keyring.ts'
import { digestOf, saltedHash } from '../../../src/receipts/receipt-hashes.ts'
import { eventually } from '../../support/eventually.ts'
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
  const sale = await bench.sell(payment.rawPayment)
  if (sale.kind !== 'sold') throw new Error(sale.code)
  return { buyer, sale, ...payment }
}

describe('a repeat of a paid call', () => {
  test('gets the same verdict and an equal receipt, and is not settled again', async () => {
    const { rawPayment, sale } = await sold()
    const again = await bench.sell(rawPayment)
    expect(again).toMatchObject({
      kind: 'sold',
      replayed: true,
      rulesetChanged: false,
      verdicts: sale.verdicts,
      settlement: sale.settlement,
    })
    expect(bench.facilitator.settled).toHaveLength(1)
  })

  test('is answered after a restart, after validBefore, with the facilitator and the chain down, for an hour', async () => {
    const { rawPayment, sale } = await sold()
    await bench.restart()
    bench.money.flows = false
    bench.reader.head = () => Promise.reject(new Error('down'))
    bench.clock.advance(HOUR - 5_000)
    expect(await bench.sell(rawPayment)).toMatchObject({
      kind: 'sold',
      replayed: true,
      settlement: sale.settlement,
    })
  })

  test('is refused as over an hour after its first delivery, and never asked to pay', async () => {
    const { rawPayment, sale, buyer, nonce } = await sold()
    bench.clock.advance(20 * HOUR)
    sale.delivered()
    await eventually(async () => (await bench.row(buyer, nonce)).deliveredAt).not.toBeNull()
    bench.clock.advance(HOUR - 5_000)
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold', replayed: true })
    bench.clock.advance(6_000)
    for (const call of [bench.call(), bench.call('x')])
      expect(await bench.sell(rawPayment, call)).toMatchObject({
        kind: 'declined',
        code: 'replay_window_over',
      })
  })

  test('that was never delivered is answered for 24 hours', async () => {
    const { rawPayment } = await sold()
    bench.clock.advance(24 * HOUR - 5_000)
    await bench.purge()
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold', replayed: true })
    bench.clock.advance(10_000)
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'declined', code: 'replay_window_over' })
  })

  test('is answered by a service whose clock is two days ahead of the chain', async () => {
    const chainTime = bench.clock.now()
    await bench.restart({ chainTime: () => chainTime })
    const { rawPayment, sale, buyer } = await sold()
    bench.clock.advance(48 * HOUR)
    expect(await bench.sell(rawPayment)).toMatchObject({
      kind: 'sold',
      replayed: true,
      settlement: sale.settlement,
    })
    const signedAgain = await buyer.sign()
    expect(await bench.sell(signedAgain.rawPayment)).toMatchObject({ kind: 'sold', replayed: true })
    expect(await bench.charged()).toBe(1)
  })

  test('finds no binding once the window is over, nor the key it was made with, and the row still there', async () => {
    const { rawPayment, buyer, nonce } = await sold()
    await bench.purge()
    const { binding, bindingKey } = await bench.row(buyer, nonce)
    expect(binding).not.toBeNull()
    expect(await bench.ledger.findFact(bindingKey as string)).not.toBeNull()
    bench.clock.advance(24 * HOUR + 1_000)
    await bench.purge()
    expect(await bench.row(buyer, nonce)).toMatchObject({ state: 'settled', binding: null, salt: null })
    expect(await bench.ledger.findFact(bindingKey as string)).toBeNull()
    bench.clock.advance(48 * HOUR)
    await bench.purge()
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'declined', code: 'replay_window_over' })
  })

  test('leaves nothing in the files of the store once its window is over', async () => {
    const { buyer, nonce } = await sold()
    const { binding, salt } = await bench.row(buyer, nonce)
    const bytes = () => bench.storedBytes()
    expect(bytes().includes(binding as Buffer)).toBe(true)
    bench.clock.advance(24 * HOUR + 1_000)
    await bench.purge()
    expect(bytes().includes(binding as Buffer)).toBe(false)
    expect(bytes().includes(salt as Buffer)).toBe(false)
  })

  test('says so when the rules have changed since', async () => {
    const { rawPayment } = await sold()
    await bench.restart({ rulesets: { iban: 'iban:newer' } })
    expect(await bench.sell(rawPayment)).toMatchObject({ kind: 'sold', replayed: true, rulesetChanged: true })
  })

  test('gets the bank that a new edition of the list has, and a receipt of that result', async () => {
    const value = 'DE09123456780001234567'
    const call = bench.call(value)
    const { rawPayment } = await (await bench.buyer()).sign()
    const first = await bench.sell(rawPayment, call)
    expect(first).toMatchObject({
      kind: 'sold',
      verdicts: [{ valid: true, details: { warnings: ['bank_code_unknown'] } }],
    })

    const ruleset = 'iban:next-edition'
    const DE = { ...BANK_LISTS.DE!, banks: `${BANK_LISTS.DE!.banks}\nNew Bank\tNEWBDEFFXXX 12345678` }
    const check = ibanCheck({ ...IBAN, ruleset }, bankFinder({ ...BANK_LISTS, DE }))
    const [item] = call.items
    const items = [{ ...item, skill: { ...item.skill, ruleset, check } }] as const
    await bench.restart()
    const again = await bench.sell(rawPayment, { ...call, items })
    expect(again).toMatchObject({
      kind: 'sold',
      replayed: true,
      rulesetChanged: true,
      verdicts: [{ valid: true, details: { ruleset, bank: { name: 'New Bank' }, warnings: [] } }],
    })
    if (again.kind !== 'sold') throw new Error(again.code)
    expect(bench.facilitator.settled).toHaveLength(1)
    const { 'offer-receipt': receipt, 'receipt-salt': salt } = again.settlement.extensions as Record<
      string,
      { info: { receipt: { signature: string }; salt: string } }
    >
    const [, payload = ''] = receipt!.info.receipt.signature.split('.')
    expect(JSON.parse(Buffer.from(payload, 'base64url').toString()).resultHash).toBe(
      saltedHash(Buffer.from(salt!.info.salt, 'hex'), digestOf(again.verdicts[0])),
    )
  })

  test('is recognised while the secret key is being rotated', async () => {
    const [old, fresh] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)]
    await bench.restart({ keys: createKeyring(old) })
    const { rawPayment, sale } = await sold()
    await bench.restart({ keys: createKeyring(fresh, old) })
    expect(await bench.sell(rawPayment, bench.call('other'))).toMatchObject({ code: 'payment_already_used' })
    expect(await bench.sell(rawPayment)).toMatchObject({
      kind: 'sold',
      replayed: true,
      settlement: sale.settlement,
    })
  })
})

describe('trying values out on a paid call', () => {
  const from = (client: string, value = GOOD_IBAN) => ({ ...bench.call(value), client })

  test('is slowed down after five by one client, more and more, whether the next value is right or not', async () => {
    const { rawPayment } = await sold()
    for (let tried = 0; tried < 5; tried += 1)
      expect(await bench.sell(rawPayment, from('thief', `guess ${tried}`))).toMatchObject({
        code: 'payment_already_used',
      })
    const waitFor = async (value: string) => {
      const sale = await bench.sell(rawPayment, from('thief', value))
      expect(sale).toMatchObject({ kind: 'declined', code: 'too_many_requests' })
      return sale.kind === 'declined' ? (sale.retryAfterSeconds ?? 0) : 0
    }
    // Nothing is counted while it rests.
    const first = await waitFor(GOOD_IBAN)
    expect(await waitFor('wrong')).toBe(first)
    bench.clock.advance(first * 1_000)
    expect(await bench.sell(rawPayment, from('thief', 'wrong'))).toMatchObject({
      code: 'payment_already_used',
    })
    const second = await waitFor(GOOD_IBAN)
    expect(second).toBeGreaterThan(first)
    bench.clock.advance(second * 1_000)
    expect(await bench.sell(rawPayment, from('thief'))).toMatchObject({ kind: 'sold', replayed: true })
  })

  test('is slowed down no longer when the clock is put back', async () => {
    const { rawPayment } = await sold()
    for (let tried = 0; tried < 5; tried += 1) await bench.sell(rawPayment, from('thief', `guess ${tried}`))
    bench.clock.advance(-HOUR)
    expect(await bench.sell(rawPayment, from('thief'))).toMatchObject({
      code: 'too_many_requests',
      retryAfterSeconds: 10,
    })
  })

  test('by a stranger takes nothing from the buyer', async () => {
    const { rawPayment } = await sold()
    for (let tried = 0; tried < 14; tried += 1)
      await bench.sell(rawPayment, from('stranger', `guess ${tried}`))
    expect(await bench.sell(rawPayment, from('buyer'))).toMatchObject({ kind: 'sold', replayed: true })
  })

  test('from many addresses locks the payment, and its buyer is answered after a new signature, not charged', async () => {
    const { rawPayment, buyer, sale, nonce } = await sold()
    sale.delivered()
    await eventually(async () => (await bench.row(buyer, nonce)).deliveredAt).not.toBeNull()
    for (let tried = 0; tried < 25; tried += 1)
      await bench.sell(rawPayment, from(`address ${tried}`, `guess ${tried}`))
    await bench.restart()
    for (let tried = 25; tried < 50; tried += 1)
      await bench.sell(rawPayment, from(`address ${tried}`, `guess ${tried}`))
    for (const value of [GOOD_IBAN, 'wrong'])
      expect(await bench.sell(rawPayment, from('buyer', value))).toMatchObject({
        kind: 'unpaid',
        code: 'payment_locked',
      })
    for (let again = 0; again < 2; again += 1)
      expect(await bench.sell((await buyer.sign()).rawPayment, from('buyer'))).toMatchObject({
        kind: 'sold',
        replayed: true,
        settlement: sale.settlement,
      })
    expect(await bench.charged()).toBe(1)
  })

  test('once it is locked, a client that names the right value again and again waits like any other', async () => {
    const { rawPayment } = await sold()
    for (let tried = 0; tried < 50; tried += 1)
      await bench.sell(rawPayment, from(`address ${tried}`, `guess ${tried}`))
    const codes = async (client: string, value?: string) => {
      const seen: string[] = []
      for (let again = 0; again < 8; again += 1) {
        const sale = await bench.sell(rawPayment, from(client, value))
        seen.push(sale.kind === 'sold' ? sale.kind : sale.code)
      }
      return seen
    }
    expect(await codes('right')).toEqual(await codes('wrong', 'wrong'))
  })

  test('at once is no way around it', async () => {
    const { rawPayment } = await sold()
    const sales = await Promise.all(
      Array.from({ length: 12 }, (_, tried) => bench.sell(rawPayment, from('thief', `guess ${tried}`))),
    )
    const codes = sales.map((sale) => (sale.kind === 'declined' ? sale.code : sale.kind))
    expect(codes.filter((code) => code === 'payment_already_used')).toHaveLength(5)
    expect(codes.filter((code) => code === 'too_many_requests')).toHaveLength(7)
  })

  test('writes as much for the right value as for a wrong one', async () => {
    const { rawPayment } = await sold()
    const writes = async (value: string) => {
      const before = bench.storeCalls.length
      await bench.sell(rawPayment, bench.call(value))
      return bench.storeCalls.slice(before)
    }
    expect(await writes(GOOD_IBAN)).toEqual(await writes('wrong'))
  })
})
