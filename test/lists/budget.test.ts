import { expect, test } from 'vitest'
import { Budget, LONGEST_CELL, MOST_COLUMNS } from '../../src/lists/budget.ts'
import { ListFault } from '../../src/lists/list-fault.ts'

const MB = 1024 * 1024

test('what may be made of an input grows with its bytes, up to a bound', () => {
  const small = new Budget()
  small.take('unpacked', 16 * MB)
  expect(() => small.take('unpacked', 1)).toThrow(ListFault)
  const large = new Budget()
  large.read(MB)
  large.take('unpacked', 96 * MB)
  expect(() => large.take('unpacked', 1)).toThrow(/unpacks to more/)
  const largest = new Budget()
  largest.read(100 * MB)
  largest.take('unpacked', 1024 * MB)
  expect(() => largest.take('unpacked', 1)).toThrow(/unpacks to more/)
})

test('a text that many rows share counts for each', () => {
  const budget = new Budget()
  const row = ['x'.repeat(LONGEST_CELL)]
  const fill = () => {
    for (;;) budget.row(row)
  }
  expect(fill).toThrow(/more text/)
  expect(budget.spent.characters).toBeLessThan(33 * MB)
})

test('rows and cells are as large as those of spreadsheets', () => {
  const budget = new Budget()
  expect(budget.row(Array(MOST_COLUMNS).fill(''))).toHaveLength(MOST_COLUMNS)
  expect(() => budget.row(Array(MOST_COLUMNS + 1).fill(''))).toThrow(/16,384/)
  expect(() => budget.cell('x'.repeat(LONGEST_CELL + 1))).toThrow(/32,767/)
})

test('JSON has a bounded number of parts, and advice only where it helps', () => {
  const budget = new Budget({ what: 'file', advice: null })
  expect(budget.json(`[${'0,'.repeat(1_000)}"${','.repeat(9_000_000)}"]`)).toHaveLength(1_001)
  expect(() => budget.json(`[${'0,'.repeat(8_000_000)}0]`)).toThrow('the file has JSON of too many parts')
  expect(() => budget.take('held', 257 * MB)).toThrow(/^the file is larger than 256 MB$/)
  expect(() => new Budget().take('held', 257 * MB)).toThrow('256 MB; save it as "CSV UTF-8"')
})

test('JSON is read to a depth, wherever its brackets stand', () => {
  const budget = new Budget({ what: 'statement' })
  const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
  expect(budget.json(`{"a":"${'['.repeat(500)}\\"","b":${nested(127)}}`)).toHaveProperty('b')
  expect(() => budget.json(nested(129))).toThrow('the statement has JSON of more than 128 levels')
  expect(() => budget.json('{')).toThrow(SyntaxError)
})

test('only the time of its own work is counted, and only with a clock', async () => {
  let at = 0
  const budget = new Budget({ now: () => at })
  await budget.turn()
  at = 9_000
  await budget.turn()
  expect(budget.spent.ms).toBe(9_000)
  at = 10_001
  await expect(budget.turn()).rejects.toThrow(/longer to read/)
  await new Budget().turn()
})
