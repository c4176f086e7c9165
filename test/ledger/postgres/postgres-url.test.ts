import { describe, expect, test } from 'vitest'
import {
  requirePostgresUrl,
  withoutPassword,
  withSettings,
} from '../../../src/ledger/postgres/postgres-url.ts'
import { StoreUnavailable } from '../../../src/ledger/store/store-unavailable.ts'

test.each([
  ['postgres://app:secret@db:5433/sales?sslmode=require', 'postgres://app@db:5433/sales'],
  ['postgresql://db/sales', 'postgresql://db/sales'],
  ['postgres://app:@sec:%ret@@db/sales', 'postgres://app@db/sales'],
  ['https://app:secret@db/sales', 'not a postgres:// address'],
  ['postgres://app:12/secret@db/sales', 'not a postgres:// address'],
])('of an address all but password and parameters is shown', (url, shown) => {
  expect(withoutPassword(url)).toBe(shown)
})

test.each([
  'https://db/sales',
  'my-postgres://db/sales',
  'postgresq://db/sales',
  'postgres:/db/sales',
  'postgres://db:port/sales',
  'postgres://app:12/secret@db/sales',
  'postgres://app:12?secret@db/sales',
  'postgres://app:12#secret@db/sales',
  'postgres://app:12@ec/ret@db/sales',
])('an address of anything else is refused: %s', (url) => {
  expect(() => requirePostgresUrl(url)).toThrow(StoreUnavailable)
})

describe('settings of a session', () => {
  const optionsOf = (url: string) => new URL(url).searchParams.get('options')

  test('come after those of the address, whose other parameters stay', () => {
    const url = withSettings('postgres://app@db/sales?sslmode=require&options=-c%20a=1', { b: 2, c: 'on' })
    expect(optionsOf(url)).toBe('-c a=1 -c b=2 -c c=on')
    expect(new URL(url).searchParams.get('sslmode')).toBe('require')
  })

  test('are one option each, whatever blanks and backslashes they have', () => {
    const url = withSettings('postgres://db/sales', { a: 'read committed', b: 'c:\\d' })
    expect(optionsOf(url)).toBe('-c a=read\\ committed -c b=c:\\\\d')
  })
})
