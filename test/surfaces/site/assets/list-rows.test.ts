/** How the page for lists reads a list, against the parser of the command line. */
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { asset } from './asset.ts'

interface Records {
  readonly records: string[][]
  readonly delimiter: string | null
}

const { readRecords, parseCsv } = await asset<{
  readRecords(text: string): Records
  parseCsv(text: string, delimiter: string): string[][]
}>('list-rows.js')

describe('records of a list', () => {
  it.each([
    ['lines', 'DE1\nDE2\n\nDE3', [['DE1'], ['DE2'], ['DE3']], null],
    ['lines that end in CR LF', 'DE1\r\nDE2\r\n', [['DE1'], ['DE2']], null],
    [
      'a CSV',
      'name,iban\n"A, B",DE1\nC,DE2\n',
      [
        ['name', 'iban'],
        ['A, B', 'DE1'],
        ['C', 'DE2'],
      ],
      ',',
    ],
    [
      'a semicolon',
      'name;iban\nA, B;DE1',
      [
        ['name', 'iban'],
        ['A, B', 'DE1'],
      ],
      ';',
    ],
    [
      'what a spreadsheet copies',
      'name\tiban\nA\tDE1',
      [
        ['name', 'iban'],
        ['A', 'DE1'],
      ],
      '\t',
    ],
    [
      'a line that names the delimiter',
      'sep=|\r\na|b\r\n1|2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
      '|',
    ],
    ['a quoted column alone', '"DE 1"\n"DE 2"\n', [['DE 1'], ['DE 2']], null],
    [
      'a line break in quotes',
      'a,b\n"1\n2",3\n',
      [
        ['a', 'b'],
        ['1\n2', '3'],
      ],
      ',',
    ],
    [
      'a doubled quote',
      'a,b\n"1""2",3\n',
      [
        ['a', 'b'],
        ['1"2', '3'],
      ],
      ',',
    ],
    [
      'a quote inside a cell',
      'a,b\n1"2,3\n',
      [
        ['a', 'b'],
        ['1"2', '3'],
      ],
      ',',
    ],
    [
      'an empty last cell',
      'a,b\n1,\n2,',
      [
        ['a', 'b'],
        ['1', ''],
        ['2', ''],
      ],
      ',',
    ],
    ['a comma in one line only', 'DE1\nDE2, please\nDE3', [['DE1'], ['DE2, please'], ['DE3']], null],
    ['nothing', '', [], null],
    [
      'a quote that is never closed',
      'a,b\n1,"2',
      [
        ['a', 'b'],
        ['1', '2'],
      ],
      ',',
    ],
  ])('are read from %s', (_what, text, records, delimiter) => {
    expect(readRecords(text)).toEqual({ records, delimiter })
  })

  it.each([
    ['a row of totals below', 'id;iban\n1;DE1\n2;DE2\nRazem', ';'],
    ['rows that end in a delimiter', 'id,iban\n1,DE1,\n2,DE2,\n', ','],
    ['a stray delimiter', 'name,iban\nNowak, Jan,DE1\nA,DE2\n', ','],
    ['Export-Csv of PowerShell 5', '#TYPE System.Object\r\n"id","iban"\r\n"1","DE1"\r\n', ','],
    ['a line that names the delimiter, in capitals', '"SEP=;"\r\nid;iban\r\n1;DE1\r\n', ';'],
  ])('have their cells with %s', (_what, text, delimiter) => {
    const found = readRecords(text)
    expect(found.delimiter).toBe(delimiter)
    expect(found.records[0]?.at(-1)).toBe('iban')
  })

  it('are without quotes that only the values have', () => {
    expect(readRecords('iban\n"DE1"\n"DE2"\n').records).toEqual([['iban'], ['DE1'], ['DE2']])
  })

  it.each([
    ['a JSON array', '["DE1","DE2"]', 'JSON'],
    ['JSON Lines', '{"iban":"DE1"}\n{"iban":"DE2"}\n', 'JSON'],
    ['a page that calls itself a workbook', '<html><table>', 'CSV UTF-8'],
    ['a title above the headings', 'Dostawcy\n\nid;iban\n1;DE1\n2;DE2\n', 'above the headings'],
  ])('are not made of %s', (_what, text, words) => {
    expect(() => readRecords(text)).toThrow(words)
  })

  it.each([
    ['brackets', '[IBAN]\nDE1\n'],
    ['braces', '{DE1}\nDE2\n'],
    ['angle brackets', '<table@b.pl>\n<a@b.pl>\n'],
  ])('are made of a list whose first value is in %s', (_what, text) => {
    expect(readRecords(text).records).toHaveLength(2)
  })

  it('are those of the parser of the command line', () => {
    const cell = fc.string({ unit: fc.constantFrom('a', '1', ' ', '"', ',', ';', '\n', '\r\n', 'é') })
    const quoted = cell.map((text) => `"${text.replaceAll('"', '""')}"`)
    const plain = fc.string({ unit: fc.constantFrom('a', '1', ' ', ';', 'é'), minLength: 1 })
    const line = fc.array(fc.oneof(quoted, plain), { minLength: 2, maxLength: 4 })
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 5 }), (lines) => {
        const text = lines.map((cells) => cells.join(',')).join('\r\n')
        const expected = parse(text, {
          delimiter: ',',
          record_delimiter: ['\r\n', '\n', '\r'],
          relax_column_count: true,
          skip_empty_lines: true,
        })
        expect(parseCsv(text, ',')).toEqual(expected)
      }),
    )
  })

  it('end for any text', () => {
    const text = fc.string({ unit: fc.constantFrom('"', ',', '\r', '\n', 'a') })
    fc.assert(
      fc.property(text, (given) => {
        const cells = parseCsv(given, ',').flat().join('')
        expect(cells.replaceAll(/[^a]/g, '')).toBe(given.replaceAll(/[^a]/g, ''))
      }),
    )
  })
})
