import { expect, test } from 'vitest'
import { readBuyOptions } from '../../src/buy/buy-options.ts'

const columns =
  (...names: readonly string[]) =>
  () =>
    readBuyOptions(['--file', 'x.csv', ...names.flatMap((name) => ['--column', name])])

test('a column that is named twice with the same type is refused, and not bought once and written twice', () => {
  expect(columns('iban', 'IBAN')).toThrow('a column is named twice with the same type')
  expect(columns('account=iban', 'account=eu-vat')).not.toThrow()
})
