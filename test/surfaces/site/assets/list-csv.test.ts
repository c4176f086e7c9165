import { parse } from 'csv-parse/sync'
import { describe, expect, it } from 'vitest'
import { CHECKS } from '../../../../src/checks/checks.ts'
import { asset } from './asset.ts'

const { csvOf } = await asset<{ csvOf(plan: object, verdicts: readonly object[]): string }>('list-csv.js')
const { decodeList } = await asset<{ decodeList(bytes: Uint8Array): string }>('list-text.js')

const VERDICTS = ['DE89370400440532013000', 'DE1'].map((value) => CHECKS.iban(value))
const planOf = (...cells: string[]) => ({
  header: ['note', 'iban'],
  rows: [
    ...cells.map((cell, line) => ({ line, cells: [cell, 'DE89370400440532013000'], value: '', at: 0 })),
    { line: 8, cells: ['short'], value: '', at: 1 },
    { line: 9, cells: ['none', ''], value: '', skipped: 'empty' },
  ],
})

const records = (csv: string) => parse(csv, { bom: true, record_delimiter: '\r\n' }) as string[][]

it('has the columns of the list, then those of the results', () => {
  const [header, first, second, third] = records(csvOf(planOf('a, "b"\nc'), VERDICTS))
  expect(header).toEqual(['note', 'iban', 'valid', 'code', 'reason', 'normalized'])
  expect(first).toMatchObject({ 0: 'a, "b"\nc', 2: 'true', 3: 'ok', 5: 'DE••••••••••••••••3000' })
  expect(second).toMatchObject({ 0: 'short', 1: '', 2: 'false', 5: '' })
  expect(third).toEqual(['none', '', '', 'empty', '', ''])
})

it('takes no name that the list has', () => {
  const [header] = records(csvOf({ header: ['code', 'iban'], rows: [] }, VERDICTS))
  expect(header).toEqual(['code', 'iban', 'valid', 'code_2', 'reason', 'normalized'])
})

it('is made of half a million rows too', () => {
  const row = { line: 1, cells: ['1'], value: '1', skipped: 'over_limit' }
  const csv = csvOf({ header: ['nip'], rows: Array.from({ length: 500_000 }, () => row) }, VERDICTS)
  expect(csv.length).toBeGreaterThan(500_000)
})

describe('a cell that a spreadsheet would run', () => {
  it.each([
    '=1+1',
    '+48',
    '-1',
    '@SUM(A1)',
    '\t=1',
    '\r=1',
    ' =1',
    '＝1',
    '＋1',
    '－1',
    '＠1',
  ])('%j becomes text', (cell) => {
    expect(records(csvOf(planOf(cell), VERDICTS))[1]?.[0]).toBe(`'${cell}`)
  })

  it.each(['a=1', '1-1', 'x@y.example', "'=1"])('%j stays as it is', (cell) => {
    expect(records(csvOf(planOf(cell), VERDICTS))[1]?.[0]).toBe(cell)
  })
})

describe('the text of a file', () => {
  const text = 'Zażółć;1\r\n'
  const utf16 = Buffer.from(text, 'utf16le')
  it.each([
    ['UTF-8', Buffer.from(text)],
    ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${text}`)],
    ['UTF-16 as Excel writes it', Buffer.concat([Buffer.from([0xff, 0xfe]), utf16])],
    ['UTF-16 without a mark', utf16],
    ['UTF-16, the other order', Buffer.from(Buffer.concat([Buffer.from([0xff, 0xfe]), utf16])).swap16()],
  ])('is read from %s', (_encoding, bytes) => {
    expect(decodeList(bytes)).toBe(text)
  })

  it.each([
    ['a workbook', Buffer.from('PK\u0003\u0004'), 'Save it as CSV'],
    ['another encoding', Buffer.from('Zażółć', 'latin1'), 'CSV UTF-8'],
  ])('is not read from %s, with words', (_what, bytes, words) => {
    expect(() => decodeList(bytes)).toThrow(words)
  })
})
