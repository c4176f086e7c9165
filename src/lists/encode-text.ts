import { type EncodingName, signsOf } from './decode-text.ts'
import type { ListInput } from './input-row.ts'
import type { OutputFormat } from './write-rows.ts'

interface Encoding {
  /** Without a byte order mark; a character that the encoding lacks becomes "?". */
  readonly encode: (text: string) => Uint8Array
  readonly holds: (text: string) => boolean
}

export interface TextEncoding extends Encoding {
  /** What the file begins with, known at its end: a byte order mark or nothing. */
  readonly mark: () => Uint8Array
  /** What a person should know of the mark; null unless letters outside ASCII were written in UTF-8. */
  readonly note: () => string | null
}

/**
 * A CSV of a list of text keeps the encoding of the list, with its byte order mark or without: programs that know no
 * mark lose the first heading. Everything else is UTF-8, JSON Lines without a mark (RFC 8259, section 8.1), the CSV of
 * a workbook with one before letters, because Excel needs it. `bom` decides for every CSV.
 */
export function outputEncoding(
  format: OutputFormat,
  input: Pick<ListInput, 'format' | 'encoding'>,
  bom?: boolean,
): TextEncoding {
  const { name, hasBom } = keptEncoding(format, input) ?? { name: 'utf-8', hasBom: false }
  const { encode, holds } = encodingCalled(name)
  let isAscii = true
  const isMarked = () =>
    format === 'csv' &&
    name.startsWith('utf-') &&
    (bom ?? (hasBom || (input.format === 'workbook' && !isAscii)))
  return {
    encode(text) {
      isAscii &&= !/[^\0-\x7f]/.test(text)
      return encode(text)
    },
    holds,
    mark: () => (isMarked() ? encode('\ufeff') : new Uint8Array()),
    note: () =>
      isAscii || format !== 'csv' || name !== 'utf-8' || hasBom || bom !== undefined
        ? null
        : isMarked()
          ? WITH_MARK
          : WITHOUT_MARK,
  }
}

const WITH_MARK =
  'The CSV has letters outside ASCII and begins with a byte order mark: Excel needs it, and PHP, Perl and Go take it for a part of the first heading.'
const WITHOUT_MARK =
  'The CSV has letters outside ASCII and no byte order mark, as its list. Excel needs one: write it with --bom.'

/** Null unless results have the encoding of the list. */
export const keptEncoding = (
  format: OutputFormat | 'workbook',
  input: Pick<ListInput, 'format' | 'encoding'>,
): ListInput['encoding'] => (format === 'csv' && input.format !== 'jsonl' ? input.encoding : null)

export function encodingCalled(name: EncodingName): Encoding {
  if (name === 'utf-8') {
    const encoder = new TextEncoder()
    return { encode: (text) => encoder.encode(text), holds: () => true }
  }
  if (name === 'utf-16le' || name === 'utf-16be')
    return { encode: (text) => inUtf16(text, name === 'utf-16le'), holds: () => true }
  const bytes = new Map([...signsOf(name)].map((sign, at) => [sign, 128 + at]))
  const byteOf = (sign: string) => (sign < '\x80' ? sign.charCodeAt(0) : bytes.get(sign))
  return {
    encode: (text) => Uint8Array.from(Array.from(text, (sign) => byteOf(sign) ?? 63)),
    holds: (text) => [...text].every((sign) => byteOf(sign) !== undefined),
  }
}

function inUtf16(text: string, isLittleEndian: boolean): Uint8Array {
  const view = new DataView(new ArrayBuffer(text.length * 2))
  for (let at = 0; at < text.length; at += 1) view.setUint16(at * 2, text.charCodeAt(at), isLittleEndian)
  return new Uint8Array(view.buffer)
}
