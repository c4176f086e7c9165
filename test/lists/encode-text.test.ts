import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { ENCODINGS, type EncodingName } from '../../src/lists/decode-text.ts'
import { encodingCalled, outputEncoding } from '../../src/lists/encode-text.ts'
import type { InputFormat } from '../../src/lists/input-row.ts'
import type { OutputFormat } from '../../src/lists/write-rows.ts'

const inputOf = (format: InputFormat, name: EncodingName, hasBom = false) => ({
  format,
  encoding: { name, hasBom, isGuess: false },
})

/** A file as it is written: what it begins with is known at its end. */
function written(format: OutputFormat, input: Parameters<typeof outputEncoding>[1], text: string): string {
  const { encode, mark } = outputEncoding(format, input)
  const body = encode(text)
  return Buffer.concat([mark(), body]).toString('hex')
}
const hex = (text: string, encoding: BufferEncoding = 'utf8') => Buffer.from(text, encoding).toString('hex')

describe('JSON Lines', () => {
  test.each(ENCODINGS)('are UTF-8 without a mark, whatever came in: %s', (name) => {
    for (const format of ['csv', 'text', 'jsonl'] as const)
      expect(written('jsonl', inputOf(format, name, true), '{"a":"ż"}')).toBe(hex('{"a":"ż"}'))
  })
})

describe('CSV', () => {
  test.each([
    ['of ASCII needs no mark', 'utf-8', false, 'a', hex('a')],
    ['of a list without a mark gets none, also with letters', 'utf-8', false, 'ż', hex('ż')],
    ['keeps the mark of its list', 'utf-8', true, 'a', hex('\ufeffa')],
    ['of a list in UTF-16 keeps its mark', 'utf-16le', true, 'ż', hex('\ufeffż', 'utf16le')],
    ['of one without a mark gets none', 'utf-16le', false, 'ż', hex('ż', 'utf16le')],
    ['of an old list keeps its bytes', 'iso-8859-2', false, 'ż', 'bf'],
  ] as const)('%s', (_, name, hasBom, text, bytes) => {
    expect(written('csv', inputOf('csv', name, hasBom), text)).toBe(bytes)
  })

  test.each([
    ['a workbook, with a mark before letters', { format: 'workbook', encoding: null } as const, '\ufeffż'],
    ['JSON Lines', inputOf('jsonl', 'utf-16le', true), 'ż'],
  ])('of %s is UTF-8', (_, input, text) => {
    expect(written('csv', input, 'ż')).toBe(hex(text))
  })

  test('has a mark where it is wanted, and none where it is not', () => {
    const begin = (input: Parameters<typeof outputEncoding>[1], bom: boolean) =>
      outputEncoding('csv', input, bom).mark().length
    expect(begin(inputOf('csv', 'utf-8'), true)).toBe(3)
    expect(begin(inputOf('csv', 'utf-8', true), false)).toBe(0)
    expect(begin(inputOf('csv', 'windows-1250'), true)).toBe(0)
  })

  test('says a word of the mark if letters outside ASCII are written', () => {
    const noteOf = (input: Parameters<typeof outputEncoding>[1], text: string, bom?: boolean) => {
      const { encode, note } = outputEncoding('csv', input, bom)
      encode(text)
      return note()
    }
    expect(noteOf(inputOf('csv', 'utf-8'), 'ż')).toContain('--bom')
    expect(noteOf({ format: 'workbook', encoding: null }, 'ż')).toContain('begins with a byte order mark')
    expect(noteOf(inputOf('csv', 'utf-8'), 'a')).toBeNull()
    expect(noteOf(inputOf('csv', 'utf-8'), 'ż', true)).toBeNull()
  })
})

test.each(ENCODINGS)('what %s holds comes back, and only that', (name) => {
  const { encode, holds } = encodingCalled(name)
  const decoder = new TextDecoder(name, { ignoreBOM: true })
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(decoder.decode(encode(text)) === text).toBe(holds(text))
    }),
  )
})
