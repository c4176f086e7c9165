import { describe, expect, test } from 'vitest'
import { exportCounts, exportSales, type Write } from '../../../src/cli/operator/sales-export.ts'
import type { PaymentRow } from '../../../src/ledger/payment-row.ts'
import { newPayment } from '../../support/payment-rows.ts'

const sale = (change: Partial<PaymentRow> = {}) =>
  ({
    ...newPayment(),
    settledAt: 1_900_000_000_000,
    transaction: '0xab',
    audit: null,
    ...change,
  }) as PaymentRow

async function* rowsOf(...rows: PaymentRow[]) {
  yield* rows
}
const collect = (): { readonly write: Write; text(): string } => {
  const parts: string[] = []
  return { write: async (part) => void parts.push(part), text: () => parts.join('') }
}

describe('the books', () => {
  test('are CSV by RFC 4180: lines end in CR LF, also the last', async () => {
    const { write, text } = collect()
    const row = sale()
    await exportSales(rowsOf(row), 'csv', write)
    expect(text()).toBe(
      'date,payer,amount,transaction,type,surface,audit\r\n' +
        `2030-03-17T17:46:40.000Z,${row.payer},1000,0xab,iban,rest,\r\n`,
    )
  })

  test('add up beyond what a floating-point number holds', async () => {
    const { write, text } = collect()
    const amount = 2n ** 53n + 1n
    const rows = rowsOf(sale({ amount }), sale({ amount }), sale({ audit: 'missing' }))
    expect(await exportSales(rows, 'json', write)).toEqual({
      sales: 3,
      amount: 2n ** 54n + 1002n,
      missing: 1,
    })
    expect(JSON.parse(text()).total).toEqual({ sales: 3, amount: '18014398509482986', missing: 1 })
  })

  test('write nothing on while there is no room', async () => {
    let room = Promise.resolve()
    let waiting = 0
    const write: Write = async () => {
      waiting += 1
      expect(waiting).toBe(1)
      await room
      waiting -= 1
    }
    room = new Promise((resolve) => setImmediate(resolve))
    await exportSales(rowsOf(sale(), sale(), sale()), 'csv', write)
    await exportCounts(
      [{ day: '2026-11-20', surface: 'rest', checkType: 'iban', outcome: 'sold', count: 2 }],
      'csv',
      write,
    )
  })
})
