import fc from 'fast-check'
import type { CheckType } from 'format-checker-checks/verdict'
import { describe, expect, test } from 'vitest'
import { skillOf } from '../../packages/command/src/skills.ts'
import { listCheckOf } from '../../src/catalog/column-headings.ts'
import type { InputRow, ReadListOptions } from '../../src/lists/input-row.ts'
import { ListFault } from '../../src/lists/list-fault.ts'
import { readRow } from '../../src/lists/read-cell.ts'
import { readList } from '../../src/lists/read-list.ts'
import { resultColumns } from '../../src/lists/results.ts'
import { createRowFormatter } from '../../src/lists/write-rows.ts'

const ENCODINGS = {
  'UTF-8': (text: string) => Buffer.from(text),
  'UTF-8 with a byte order mark': (text: string) => Buffer.from(`\ufeff${text}`),
  'UTF-16 LE with a byte order mark': (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le'),
  'UTF-16 BE with a byte order mark': (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
  'UTF-16 LE': (text: string) => Buffer.from(text, 'utf16le'),
}

const checkOf = (type: CheckType) => listCheckOf(skillOf(type))
const IBAN = checkOf('iban')

/** Bytes in pieces of any size: a character or a line end may be cut in two. */
async function* pieces(bytes: Uint8Array, size: number) {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function read(bytes: Uint8Array, options: Partial<ReadListOptions> = {}, size = 7) {
  const list = await readList(pieces(bytes, size), { check: IBAN, ...options })
  const rows: InputRow[] = []
  for await (const row of list.rows) rows.push(row)
  return { ...list, rows, values: rows.map(({ value }) => value) }
}
const readText = (text: string, options: Partial<ReadListOptions> = {}) => read(Buffer.from(text), options)

describe('plain text', () => {
  test('is a value per line, whatever ends it', async () => {
    const { format, values } = await readText('DE1\nDE2\r\nDE3\rDE4')
    expect([format, values]).toEqual(['text', ['DE1', 'DE2', 'DE3', 'DE4']])
  })

  test('keeps empty lines, so that rows match the input', async () => {
    expect((await readText('DE1\n\nDE2\n')).values).toEqual(['DE1', '', 'DE2'])
  })

  test.each(Object.entries(ENCODINGS))('in %s', async (_name, encode) => {
    expect((await read(encode('DE89 ż\nPL61 ó\n'))).values).toEqual(['DE89 ż', 'PL61 ó'])
  })

  test('an empty list has no rows', async () => {
    expect((await readText('')).values).toEqual([])
  })

  test.each(['\n', '  \n\r\n'])('its heading may stand below empty lines (%j)', async (above) => {
    const { header, rows } = await readText(`${above}IBAN\n\nDE89370400440532013000\n`)
    expect([header, rows.map(({ value }) => value)]).toEqual([['IBAN'], ['', 'DE89370400440532013000']])
  })

  test('a number that lost its digits is left out', async () => {
    const { rows } = await readText('IBAN\nDE89370400440532013000\n 4,40514E+10 \n')
    expect(rows.map(({ leftOut }) => leftOut)).toEqual([undefined, 'digits_lost'])
  })

  test('is refused in another encoding', async () => {
    await expect(read(Buffer.from('DE89\nza\xbf\xf3\xb3\xe6\n', 'latin1'))).rejects.toThrow(ListFault)
  })

  test.each(['LE', 'BE'])('UTF-32 %s is not read as UTF-16 with a zero behind each letter', async (order) => {
    const codes = [...'\ufeffDE89 3704\n'].map((sign) => sign.codePointAt(0) ?? 0)
    const bytes = Buffer.from(Uint32Array.from(codes).buffer)
    await expect(read(order === 'LE' ? bytes : bytes.swap32())).rejects.toThrow(/UTF-32/)
  })

  test('a line without an end is refused, not collected', async () => {
    const line = Buffer.alloc(2 * 1024 * 1024, 'x')
    await expect(read(line, { format: 'text' }, 64 * 1024)).rejects.toThrow(/million characters/)
  })

  test('property: lines survive any cut', async () => {
    const line = fc.stringMatching(/^[A-Z0-9 żß😀]{0,12}$/u)
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { minLength: 1, maxLength: 20 }),
        fc.constantFrom('\n', '\r\n', '\r'),
        fc.integer({ min: 1, max: 9 }),
        async (lines, end, size) => {
          const { values } = await read(
            Buffer.from(lines.map((each) => each + end).join('')),
            { format: 'text' },
            size,
          )
          expect(values).toEqual(lines)
        },
      ),
    )
  })
})

describe('CSV', () => {
  test.each([',', ';', '\t', '|'])('with %j between the cells', async (delimiter) => {
    const text = [
      ['name', 'iban'],
      ['Müller', 'DE1'],
      ['Nowak', 'PL1'],
    ]
      .map((cells) => cells.join(delimiter))
      .join('\r\n')
    expect(await readText(text)).toMatchObject({
      format: 'csv',
      delimiter,
      header: ['name', 'iban'],
      values: ['DE1', 'PL1'],
    })
  })

  test.each([
    ['its name', 'Konto'],
    ['its name in other letters', ' konto '],
    ['its number', '2'],
  ])('the column by %s', async (_how, column) => {
    expect((await readText('Id,Konto\n7,DE1\n8,DE2\n', { column })).values).toEqual(['DE1', 'DE2'])
  })

  test('without a header: the column by its number, and every row is a value', async () => {
    const { values, isNamed } = await readText('7,DE12\n8,DE34\n', { column: '2' })
    expect([values, isNamed]).toEqual([['DE12', 'DE34'], false])
  })

  test.each([
    ['iban', 'kind;IBAN;note'],
    ['eu-vat', 'VAT number;name'],
    ['pl-nip', 'nazwa;NIP'],
    ['email', 'name;E-mail'],
  ] as const)('%s: the heading tells the column of %s', async (type, heading) => {
    const cells = heading.split(';').map((cell) => (/iban|vat|nip|mail/i.test(cell) ? 'x1@y' : 'other'))
    expect((await readText(`${heading}\n${cells.join(';')}\n`, { check: checkOf(type) })).values).toEqual([
      'x1@y',
    ])
  })

  test.each([
    ['no heading that fits', 'a,b\n1,2\n', undefined],
    ['two that fit', 'account,konto\n1,2\n', undefined],
    ['a name that is missing', 'iban,x\n1,2\n', 'konto'],
    ['a number too high', 'iban,x\n1,2\n', '3'],
  ])('is refused with %s', async (_what, text, column) => {
    await expect(readText(text, { format: 'csv', column })).rejects.toThrow(ListFault)
  })

  test('the name of the type comes before other headings that fit, as on the page', async () => {
    const { values, columns } = await readText('Account,IBAN,note\nAcme,DE1,x\n', { format: 'csv' })
    expect([values, columns[0].index]).toEqual([['DE1'], 1])
  })

  test('one column needs no choice', async () => {
    expect((await readText('iban\nDE1\nDE2\n', { format: 'csv' })).values).toEqual(['DE1', 'DE2'])
    expect((await readText('DE12\nDE34\n', { format: 'csv' })).values).toEqual(['DE12', 'DE34'])
  })

  test('a line that names the separator', async () => {
    expect(await readText('sep=;\r\nname;iban\r\na,b;DE1\r\n')).toMatchObject({
      values: ['DE1'],
      delimiter: ';',
    })
  })

  test('a line of dashes is left out, and one with a text at its end is read, however long', async () => {
    const dashes = '-'.repeat(32_000)
    const bytes = Buffer.from(`name;iban\n---;---\n${dashes}x;DE1\n+--+;|==\n--;DE2\n`)
    const { rows } = await read(bytes, { column: 'iban' }, 65_536)
    expect(rows.map(({ value, leftOut }) => leftOut ?? value)).toEqual(['rule', 'DE1', 'not_a_value', 'DE2'])
  })

  test('a short row has no value', async () => {
    expect((await readText('name,iban\nx\ny,DE1\n', { format: 'csv' })).values).toEqual([null, 'DE1'])
  })

  test('an open quote is refused by its line, not its content', async () => {
    const error = await readText('name,iban\n"CANARY,DE1\n', { format: 'csv' }).catch((caught) => caught)
    expect(error).toBeInstanceOf(ListFault)
    expect(error.message).not.toContain('CANARY')
  })

  test('property: cells survive delimiter, quotes, encoding and any cut, and the output has them again', async () => {
    const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', ';', '\n', '\r', ' ', 'ż', '😀', '1') })
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 2, max: 4 }).chain((columns) =>
          fc.array(fc.array(cell, { minLength: columns, maxLength: columns }), {
            minLength: 1,
            maxLength: 8,
          }),
        ),
        fc.constantFrom(',', ';', '\t', '|'),
        fc.constantFrom(...Object.values(ENCODINGS)),
        fc.integer({ min: 1, max: 17 }),
        async (table, delimiter, encode, size) => {
          const header = (table[0] ?? []).map((_, at) => `col ${at}`)
          const quote = (text: string) => `"${text.replaceAll('"', '""')}"`
          const text = [header, ...table].map((row) => `${row.map(quote).join(delimiter)}\r\n`).join('')
          const list = await read(encode(text), { column: 'col 1', format: 'csv' }, size)
          expect(list.rows.map(({ cells }) => cells)).toEqual(table)
          const hasDigit = (text = '') => text.trim() === '' || text.includes('1')
          expect(list.values).toEqual(table.map((row) => (hasDigit(row[1]) ? row[1] : null)))

          const formatter = createRowFormatter('csv', list)
          const result = { kind: 'skipped', code: 'empty' } as const
          const written = formatter.head + list.rows.map((row) => formatter.row(row, result)).join('')
          const again = await read(Buffer.from(written), { column: 'col 1', format: 'csv' }, size)
          expect(again.rows.map(({ cells }) => cells)).toEqual(
            table.map((row) => [...row, '', 'empty', 'Empty.', '', '', '', '', '', '', '']),
          )
          expect(again.header).toEqual([...header, ...resultColumns([])])
        },
      ),
    )
  })
})

describe('JSON Lines', () => {
  test('of strings', async () => {
    const { format, values } = await readText('"DE1"\n"DE\\"2"\n\n5\nno json\n')
    expect([format, values]).toEqual(['jsonl', ['DE1', 'DE"2', null, '5', undefined]])
  })

  test('of objects, by member', async () => {
    const text = '{"id":1,"iban":"DE1"}\n{"id":2}\n'
    const list = await readText(text, { column: 'iban' })
    expect(list).toMatchObject({ format: 'jsonl', header: ['id', 'iban'], values: ['DE1', null] })
    expect(list.rows[0]?.cells).toEqual(['1', 'DE1'])
  })

  test('of objects with one member, or one named as the type or value', async () => {
    expect((await readText('{"id":1,"iban":"DE1"}\n{"id":2,"iban":null}\n')).values).toEqual(['DE1', null])
    expect((await readText('{"x":"DE1"}\n')).values).toEqual(['DE1'])
    expect((await readText('{"id":1,"value":"DE1"}\n')).values).toEqual(['DE1'])
  })

  test.each([
    ['the checked member twice', '{"id":1,"iban":"DE1","iban":"DE2"}'],
    ['the second name with an escape', String.raw`{"iban":"DE1","\u0069ban":"DE2","id":1}`],
    ['twice the same', '{"iban":"DE1","id":1,"iban":"DE1"}'],
  ])('of objects with %s: no value, since programs differ in which one they read', async (_, line) => {
    const text = `{"id":1,"iban":"DE0"}\n${line}\n{"id":1,"id":2,"iban":"DE3"}\n{"iban":"DE4","in":{"iban":"x"}}\n`
    const { values, rows } = await readText(text, { column: 'iban' })
    expect(values).toEqual(['DE0', undefined, 'DE3', 'DE4'])
    expect(readRow(rows[1] as InputRow)).toEqual({ ok: false, code: 'not_json' })
    expect(rows[1]?.text).toBe(line)
  })

  test('of numbers: they are taken as those of a workbook, and written as they were', async () => {
    const { rows } = await readText('{"nip":5260250274}\n{"nip":12345678901234567890}\n{"nip":true}\n', {
      check: checkOf('pl-nip'),
      column: 'nip',
    })
    expect(rows.map(({ value, leftOut }) => leftOut ?? value)).toEqual(['5260250274', 'digits_lost', true])
    expect(rows[1]?.text).toBe('{"nip":12345678901234567890}')
  })

  test('of numbers with more digits than a program computes with: their cells have all of them', async () => {
    const line =
      '{"iban":"DE1","id":12345678901234567890,"rate":0.1234567890123456789,"in":{"of":[9007199254740993,1.5]},"big":1e400}'
    const { rows } = await readText(`${line}\n`, { column: 'iban' })
    expect(rows[0]?.cells).toEqual([
      ...['DE1', '12345678901234567890', '0.1234567890123456789'],
      ...['{"of":[9007199254740993,1.5]}', '1e400'],
    ])
  })

  test('of objects with a member that comes late: its cells are behind those of the header', async () => {
    const pad = `{"iban":"${'x'.repeat(1000)}"}\n`.repeat(70)
    const { header, late, columns, rows } = await readText(
      `${pad}{"iban":"DE1","id":12345678901234567890}\n`,
      { withLate: true },
    )
    expect({ header, late, columns }).toMatchObject({ header: ['iban'], columns: [{ index: 0 }] })
    expect(late).toEqual(new Set(['id']))
    expect(rows.at(-1)?.cells).toEqual(['DE1', '12345678901234567890'])
  })

  test('of objects with a late member that no table could hold: its cells are only read where they are asked for', async () => {
    const pad = `{"iban":"${'x'.repeat(1000)}"}\n`.repeat(70)
    const text = `${pad}{"iban":"DE1","note":"${'y'.repeat(33_000)}"}\n`
    const { late, rows } = await readText(text)
    expect([late, rows.at(-1)?.cells]).toEqual([new Set(['note']), ['DE1']])
    await expect(readText(text, { withLate: true })).rejects.toThrow(ListFault)
  })

  test('whose first object comes late has its value in one column', async () => {
    const { header, late, rows } = await readText(`${'"DE1"\n'.repeat(11_000)}{"value":"DE2"}\n`, {
      format: 'jsonl',
    })
    expect([header, late]).toEqual([['value'], new Set()])
    expect(rows.at(-1)?.cells).toEqual(['DE2'])
  })

  test('is refused if the member is not said', async () => {
    await expect(readText('{"id":1,"other":"DE1"}\n')).rejects.toThrow(/--column/)
    await expect(readText('{"IBAN":"DE1","iban":"DE1"}\n')).rejects.toThrow(/--column/)
  })
})
