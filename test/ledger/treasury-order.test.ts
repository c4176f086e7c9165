import { expect, test } from 'vitest'
import type { Sql } from '../../src/ledger/sql.ts'
import { release } from '../../src/ledger/statements/treasury.ts'

test('sums of a day are written for all payers first, then by payer in one order, whatever the shares', async () => {
  const written: string[] = []
  const rows = async (text: string, values: object = {}) => {
    if (text.startsWith('delete')) return [{ day: '2027-01-15', payer: '0xb', worst: '5', amount: '5' }]
    written.push(...Object.values(values).filter((value) => value === '' || /^0x/.test(String(value))))
    return []
  }
  const shares = ['0xc', '0xa', '0xd'].map((payer) => ({ payer, amount: 1n }))
  await release({ rows } as unknown as Sql, 'id', { spent: 3n, gas: 3n, shares })
  expect(written).toHaveLength(5)
  expect(written).toEqual(written.toSorted())
})

test('a reserve does not end without its sums', async () => {
  const rows = async (text: string) => {
    if (text.startsWith('delete')) return [{ day: '2027-01-15', payer: '', worst: '5', amount: '5' }]
    throw new Error('not written')
  }
  const ended = release({ rows } as unknown as Sql, 'id', { spent: 3n, gas: 3n, shares: [] })
  await expect(ended).rejects.toThrow('not written')
})
