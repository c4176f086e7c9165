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
  'src/surfaces/documents/operator-files.ts': /MOST_BYTES/,
  // Only a digest is made of it.
  'packages/command/src/list/hash-file.ts': /hash\.update\(chunk\)/,
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

test('what is kept is counted by whatever keeps it, and its bound does not grow with the file', () => {
  const kept = (act: (budget: Budget) => void): number => {
    const budget = new Budget()
    budget.read(1_000 * MB)
    act(budget)
    return budget.spent.kept
  }
  const texts = ['', 'short', 'x'.repeat(1_000), 'ł'.repeat(1_000), '\ud800 and a quote "']
  for (const text of texts) expect(new Budget().keep(text)).toBe(text)
  expect(kept((budget) => budget.keep('x'.repeat(1_000)))).toBeGreaterThan(1_000)
  expect(kept((budget) => budget.keep('ł'.repeat(1_000)))).toBeGreaterThan(2_000)
  expect(kept((budget) => budget.map().set('key', 1).set('key', 2))).toBe(
    kept((budget) => budget.map().set('key', 1)),
  )
  expect(kept((budget) => budget.list().push(1, 2, 3))).toBe(3 * kept((budget) => budget.list().push(1)))
  const budget = new Budget()
  budget.read(1_000 * MB)
  const list = budget.list<string>()
  list.push('one', 'two')
  const before = budget.spent.kept
  expect([...list.map((each) => each.length), ...list]).toEqual([3, 3, 'one', 'two'])
  expect(budget.spent.kept).toBe(before)
  expect(() => budget.take('kept', 128 * MB)).toThrow(/more memory than a list should/)
})

test('a row has at most a million characters', () => {
  expect(new Budget().rowOf(MB)).toBe(MB)
  expect(() => new Budget().rowOf(MB + 1)).toThrow(/row of more than a million characters/)
})

test('the readers of workbooks make no map or list that outlives a row by themselves', () => {
  for (const name of ['xlsx', 'ods']) {
    const source = readFileSync(join(import.meta.dirname, `../../src/lists/workbook/${name}.ts`), 'utf8')
    const made = [...source.matchAll(/^ {2}(?:const|let) (\w+).*(?:new (?:Map|Set)|\[\]$)/gm)].map(
      ([, name]) => name,
    )
    // Of one row, or of a sample, whose cells `addToSample` counts.
    expect(made.filter((each) => !['cells', 'lost', 'shown', 'found'].includes(each ?? ''))).toEqual([])
  }
})
