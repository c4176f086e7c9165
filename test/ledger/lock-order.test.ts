import { expect, test } from 'vitest'
import { addCounts } from '../../src/ledger/figures/counts.ts'
import type { Sql, Values } from '../../src/ledger/store/sql.ts'
import { release, reserve } from '../../src/ledger/treasury/reserves.ts'
import { treasurySums } from '../../src/ledger/treasury/treasury-row.ts'

/** Runs statements on nothing, and keeps which rows they name, in order. */
function openRecorder(reserve?: object) {
  const written: string[] = []
  const tables: string[] = []
  const rows = async (text: string, values: Values = {}) => {
    tables.push(/^(?:delete from|insert into|update) (\w+)/.exec(text)?.[1] ?? 'account')
    if (text.startsWith('delete')) return reserve === undefined ? [] : [reserve]
    if (text.startsWith('select')) return [{ left: '0', ...treasurySums(() => 0n) }]
    written.push(...Object.values(values).filter((value) => typeof value === 'string'))
    return []
  }
  return { written, tables, db: { rows } as unknown as Sql }
}

test('sums of a day are written for all payers first, then by payer in one order, whatever the shares', async () => {
  const day = '2027-01-15'
  const { written, db } = openRecorder({ day, payer: '0xb', worst: '5', amount: '5' })
  const shares = ['0xc', '0xa', '0xd'].map((payer) => ({ payer, amount: 1n }))
  await release(db, 'id', { spent: 3n, gas: 3n, shares })
  expect(written.filter((value) => value !== day)).toEqual(['', '0xa', '0xb', '0xc', '0xd'])
})

test('what a transaction reserves is locked before sums are, by its reserve as by its release', async () => {
  const day = '2027-01-15'
  for (const act of [
    (db: Sql) => reserve(db, 'id', { kind: 'sale', payers: [] }, 1n, { day, most: 9n }),
    (db: Sql) => release(db, 'id', { spent: 3n, gas: 3n, shares: [] }),
  ]) {
    const { tables, db } = openRecorder({ day, payer: '', worst: '5', amount: '5' })
    await act(db)
    expect(tables.slice(0, 2)).toEqual(['treasury_reserves', 'treasury'])
  }
})

test('the account of a payer is read once the sums are locked, so that no other process lends to it meanwhile', async () => {
  const { tables, db } = openRecorder()
  await reserve(db, 'id', { kind: 'deposit', payer: '0xa' }, 1n, { day: '2027-01-15', most: 9n })
  expect(tables.slice(0, 3)).toEqual(['treasury_reserves', 'treasury', 'account'])
})

test('counts are written in one order, whatever the order in which they are given', async () => {
  const { written, db } = openRecorder()
  const count = { day: 'day', surface: 'rest', checkType: 'iban', count: 1 }
  await addCounts(
    db,
    ['b', 'c', 'a'].map((outcome) => ({ ...count, outcome })),
  )
  expect(written.filter((value) => value.length === 1)).toEqual(['a', 'b', 'c'])
})

test('a reserve does not end without its sums', async () => {
  const rows = async (text: string) => {
    if (text.startsWith('delete')) return [{ day: '2027-01-15', payer: '', worst: '5', amount: '5' }]
    throw new Error('not written')
  }
  const ended = release({ rows } as unknown as Sql, 'id', { spent: 3n, gas: 3n, shares: [] })
  await expect(ended).rejects.toThrow('not written')
})
