import { expect, test } from 'vitest'
import { apply, type Drawn, followMoves } from './draw.ts'
import { mutantsOf } from './operators.ts'

const changed = (source: string, operator: string) =>
  mutantsOf('src/ledger/a.ts', source)
    .filter((mutant) => mutant.operator === operator)
    .map((mutant) => apply(source, mutant))

test.each([
  ['operator', 'a < b', ['a <= b', 'a >= b']],
  ['condition', 'if (a) b()', ['if (true) b()', 'if (false) b()']],
  ['negation', 'f(!a)', ['f(a)']],
  ['boolean', 'f(true)', ['f(false)']],
  ['number', 'f(7)', ['f(8)', 'f(6)']],
  ['number', 'f(0n)', ['f(1n)']],
  [
    'shifted time',
    'const PAUSE_MS = 60_000',
    ['const PAUSE_MS = (60_000 * 60)', 'const PAUSE_MS = (60_000 / 60)'],
  ],
  ['dropped await', 'await f()', ['f()']],
  ['dropped statement', 'f()', [';']],
  ['reordered', '{ await f()\nawait g() }', ['{ await g()\nawait f() }']],
  ['swapped arguments', 'f(a, b)', ['f(b, a)']],
  ['swapped arguments', 'f(a, a)', []],
  ['dropped where', "q.where('x', '=', y).limit(1)", ['q.limit(1)']],
  ['dropped spread', 'f({ ...a, b })', ['f({ ...{}, b })']],
  ['method', 'a.every(f)', ['a.some(f)']],
  ['word', "f('settled', 'in_doubt')", ["f('in_doubt', 'in_doubt')", "f('settled', 'settled')"]],
  ['pattern', 'f(/^a+$/)', ['f(/a+$/)', 'f(/^a*$/)', 'f(/^a+/)']],
  ['structure', "f('8!n')", ["f('9!n')", "f('8!c')"]],
])('%s: %s', (operator, source, expected) => {
  expect(changed(source, operator)).toEqual(expected)
})

test('conditions of a statement in SQL are dropped and turned round', () => {
  const source = 'sql`select 1 from t where a = :a and b < :b order by c desc`'
  expect(changed(source, 'SQL')).toEqual([
    'sql`select 1 from t where a != :a and b < :b order by c desc`',
    'sql`select 1 from t where a = :a order by c desc`',
    'sql`select 1 from t where a = :a or b < :b order by c desc`',
    'sql`select 1 from t where a = :a and b <= :b order by c desc`',
    'sql`select 1 from t where a = :a and b > :b order by c desc`',
    'sql`select 1 from t where a = :a and b < :b order by c asc`',
  ])
})

test('types, imports, errors and what is logged are left as they are', () => {
  const source = `import { a } from 'a'
    type B = 1 | 2
    function f(this: 3, c: 4) { log.info(5, 'six') }
    throw new Error('seven', 8)`
  expect(mutantsOf('src/a.ts', source).filter(({ operator }) => operator !== 'dropped statement')).toEqual([])
})

test('a record follows a file that has moved, and stays where its file is', () => {
  const key = 'src/moved/to.ts: a < b => a <= b'
  const mutant: Drawn = {
    path: 'src/moved/to.ts',
    start: 0,
    end: 5,
    text: 'a <= b',
    operator: 'operator',
    key,
    diff: '',
  }
  const mutants = new Map([[key, mutant]])
  expect(followMoves({ 'src/gone.ts: a < b => a <= b': 1 }, mutants)).toEqual({ [key]: 1 })
  expect(followMoves({ 'src/main.ts: a < b => a <= b': 1 }, mutants)).toEqual({
    'src/main.ts: a < b => a <= b': 1,
  })
})
