import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Sale } from '../../src/payments/ports/sale.ts'
import { PAYMENT_MUTATIONS } from '../support/payment-mutations.ts'
import { type SaleBench, startSaleBench } from '../support/sale-bench.ts'

let bench: SaleBench
beforeAll(async () => {
  bench = await startSaleBench()
})
afterAll(() => bench.stop())

/** Forms whose signed authorization is intact. */
const OTHER_TERMS = /^(?:accepted\.(?:amount|payTo|maxTimeoutSeconds): |amount given twice)/

const transactionOf = (sale: Sale) => (sale.kind === 'sold' ? sale.settlement.transaction : sale.code)

describe('a payment that is written differently', () => {
  test('hundreds of ways are tried, each once', () => {
    expect(PAYMENT_MUTATIONS.length).toBeGreaterThan(400)
    expect(new Set(PAYMENT_MUTATIONS.map(({ name }) => name)).size).toBe(PAYMENT_MUTATIONS.length)
  })

  test.each(
    PAYMENT_MUTATIONS.map((mutation) => [mutation.meaning, mutation.name, mutation] as const),
  )('%s: %s', async (meaning, _name, mutation) => {
    const buyer = await bench.buyer()
    const { payload, rawPayment } = await buyer.sign()
    const mutated = { kind: 'text', text: mutation.write(payload) } as const
    const before = await bench.charged()

    const first = await bench.sell(mutated)
    expect(first.kind === 'sold').toBe(meaning === 'same')
    const original = await bench.sell(rawPayment)
    expect(original).toMatchObject({ kind: 'sold', replayed: meaning === 'same' })
    const again = await bench.sell(mutated)
    // A known row is answered by its own terms, whatever terms the client says it accepted.
    // It asks for no identifier either when its sale had none.
    const isOtherTerms = first.kind === 'unpaid' && first.code === 'payment_terms_mismatch'
    const isKnown = mutation.name === 'a malformed identifier'
    const repeats = meaning === 'same' || isKnown || (isOtherTerms && OTHER_TERMS.test(mutation.name))
    expect(again.kind === 'sold').toBe(repeats)
    const sold = [first, again].filter(({ kind }) => kind === 'sold')
    expect(sold.map(transactionOf)).toEqual(sold.map(() => transactionOf(original)))
    const other = await bench.sell(mutated, bench.call('PL61109010140000071219812874'))
    expect(other.kind === 'sold').toBe(false)

    expect((await bench.charged()) - before).toBe(1)
    expect(await bench.reader.balance(buyer.address)).toBe(999_000n)
  })
})
