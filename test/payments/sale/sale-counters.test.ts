import { expect, test } from 'vitest'
import type { Count } from '../../../src/ledger/figures/operator-figures.ts'
import { StoreUnavailable } from '../../../src/ledger/store/store-unavailable.ts'
import type { Sale, ValueCall } from '../../../src/payments/ports/sale.ts'
import type { Withheld } from '../../../src/payments/ports/task.ts'
import { countSales, countWithheld, createSaleCounters } from '../../../src/payments/sale/sale-counters.ts'

const AT = Date.parse('2026-11-20T23:59:59.999Z')
const call = {
  kind: 'value',
  shape: 'single',
  type: 'iban',
  items: [{ skill: { id: 'iban' }, value: 'x' }],
  surface: 'a2a',
  task: { pendingOrder: '' },
} as unknown as ValueCall & {
  readonly task: { readonly pendingOrder: string }
}

function book() {
  const written: Count[][] = []
  const store = { away: false }
  const addCounts = async (counts: readonly Count[]) => {
    if (store.away) throw new StoreUnavailable('away')
    written.push([...counts])
  }
  return { written, store, book: createSaleCounters({ addCounts }) }
}

test('counts lie in the book until the store takes them, and are written once', async () => {
  const { written, store, book: counts } = book()
  counts.add('rest', 'iban', 'sold', AT)
  store.away = true
  await counts.flush()
  counts.add('rest', 'iban', 'sold', AT)
  counts.add('rest', 'iban', 'sold', AT + 1)
  store.away = false
  await counts.flush()
  await counts.flush()
  const cell = { surface: 'rest', checkType: 'iban', outcome: 'sold' }
  expect(written).toEqual([
    [
      { ...cell, day: '2026-11-20', count: 2 },
      { ...cell, day: '2026-11-21', count: 1 },
    ],
  ])
})

test.each<[string, Withheld, string]>([
  ['a sealed verdict as a quote', { kind: 'withheld' } as Withheld, 'payment_required'],
  ['a full store as what it is', { kind: 'declined', code: 'too_many_requests' }, 'too_many_requests'],
])('withholding counts %s', async (_what, withheld, outcome) => {
  const { written, book: counts } = book()
  expect(
    await countWithheld(
      async () => withheld,
      counts,
      () => AT,
    )(call),
  ).toBe(withheld)
  await counts.flush()
  expect(written.flat()).toMatchObject([{ surface: 'a2a', checkType: 'iban', outcome, count: 1 }])
})

test.each<[Partial<Sale>, string, string]>([
  [{ kind: 'sold', replayed: false }, 'iban', 'sold'],
  [{ kind: 'sold', replayed: true }, 'iban', 'replayed'],
  [{ kind: 'unpaid', code: 'payment_expired' }, 'iban', 'payment_expired'],
  [{ kind: 'declined', code: 'payment_in_doubt' }, 'iban', 'payment_in_doubt'],
])('a sale %o counts as %s %s', async (sale, type, outcome) => {
  const heard: string[][] = []
  const counts = createSaleCounters({ addCounts: async () => {} }, (...cell) => heard.push(cell))
  await countSales(
    async () => sale as Sale,
    counts,
    () => AT,
  )(call, { kind: 'none' })
  expect(heard).toEqual([['a2a', type, outcome]])
})
