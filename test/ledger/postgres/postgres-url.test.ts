import { expect, test } from 'vitest'
import { withoutPassword } from '../../../src/ledger/postgres/postgres-url.ts'

test.each([
  ['postgres://app:secret@db:5433/sales?sslmode=require', 'postgres://app@db:5433/sales'],
  ['postgresql://db/sales', 'postgresql://db/sales'],
  ['https://app:secret@db/sales', 'not a postgres:// address'],
])('of an address all but password and parameters is shown', (url, shown) => {
  expect(withoutPassword(url)).toBe(shown)
})
