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
    ['with letters gets the mark that a spreadsheet needs', 'utf-8', false, 'ż', hex('\ufeffż')],
    ['keeps the mark of its list', 'utf-8', true, 'a', hex('\ufeffa')],
    ['of a list in UTF-16 has a mark', 'utf-16le', false, 'ż', hex('\ufeffż', 'utf16le')],
    ['of an old list keeps its bytes', 'iso-8859-2', false, 'ż', 'bf'],
  ] as const)('%s', (_, name, hasBom, text, bytes) => {
    expect(written('csv', inputOf('csv', name, hasBom), text)).toBe(bytes)
  })

  test.each([
    ['a workbook', { format: 'workbook', encoding: null } as const],
    ['JSON Lines', inputOf('jsonl', 'utf-16le', true)],
  ])('of %s is UTF-8', (_, input) => {
    expect(written('csv', input, 'ż')).toBe(hex('\ufeffż'))
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
