import { expect, test } from 'vitest'
import { stateLiterals } from '../../src/ledger/payments/state-literals.ts'
import { positional, tuples } from '../../src/ledger/store/sql.ts'

test('names become the marks of the database, in order and as often as they stand there', () => {
  expect(positional('select :a, :b_2 where :a > 0', (place) => `$${place}`)).toEqual({
    sql: 'select $1, $2 where $3 > 0',
    names: ['a', 'b_2', 'a'],
  })
})

test('a cast of PostgreSQL is no parameter', () => {
  expect(positional('select :ms::bigint::text', () => '?')).toEqual({
    sql: 'select ?::bigint::text',
    names: ['ms'],
  })
})

test('no text but that of a state comes into a condition', () => {
  expect(stateLiterals('settled', 'in_doubt')).toBe("'settled', 'in_doubt'")
  expect(() => stateLiterals("' or '1' = '1" as never)).toThrow('unknown payment state')
})

test('rows become lists of parameters; numbers that may be wider than a float keep their type', () => {
  expect(
    tuples([
      { day: 'x', sum: 1n },
      { day: 'y', sum: 2n },
    ]),
  ).toEqual({
    text: '(:day0, cast(:sum0 as bigint)), (:day1, cast(:sum1 as bigint))',
    values: { day0: 'x', sum0: 1n, day1: 'y', sum1: 2n },
  })
})
