import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
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

/** What reads a file that others made, or that a person names. Each draws from a budget, or has a bound of its own. */
const READERS: Readonly<Record<string, RegExp>> = {
  'packages/command/src/list/open-list-file.ts': /\bBudget\b/,
  'packages/command/src/verify/read-json.ts': /\bBudget\b|MOST_BYTES/,
  'src/surfaces/site/status/history.ts': /\bBudget\b/,
  'src/surfaces/documents/operator-files.ts': /MOST_BYTES/,
  // Only a digest is made of it.
  'packages/command/src/list/statement.ts': /hash\.update\(chunk\)/,
  // The first bytes of an output that is there.
  'packages/command/src/list/list-output.ts': /\breadSync\b/,
}
/** Files of the program itself, of its own folders, and settings and keys, whose owner starts the process. */
const OWN =
  /^(?:src\/(?:catalog|config|files|ledger|main|sandbox)\/.*|packages\/command\/src\/buy\/buyer-key\.ts|src\/surfaces\/(?:admin\/admin-routes|a2a\/card\/agent-card|site\/(?:assets|shared-modules)|documents\/(?:packages|documents|texts\/guides))\.ts)$/

test('every reader of a file that others made takes a budget or has a bound', () => {
  const root = join(import.meta.dirname, '../..')
  const text = (path: string) => readFileSync(join(root, path), 'utf8')
  for (const [path, bound] of Object.entries(READERS)) expect(text(path), path).toMatch(bound)
  const reads = /\b(?:readFile|readFileSync|createReadStream|readSync|openAsBlob)\(/
  const readers = globSync(['src/**/*.ts', 'packages/*/src/**/*.ts'], { cwd: root })
    .filter((path) => reads.test(text(path)))
    .filter((path) => !(path in READERS) && !OWN.test(path))
  expect(readers).toEqual([])
  // What is read of a list goes through functions that ask for one.
  for (const path of globSync(
    'src/lists/{read-list,parse-csv,read-json-lines,workbook/{unzip,scan-xml,read-workbook}}.ts',
    {
      cwd: root,
    },
  ))
    expect(text(path), path).toMatch(/budget: Budget/)
})
