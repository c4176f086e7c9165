import { type EncodingName, signsOf } from './decode-text.ts'
import type { ListInput } from './input-row.ts'
import type { OutputFormat } from './write-rows.ts'

interface Encoding {
  /** Without a byte order mark; a character that the encoding lacks becomes "?". */
  readonly encode: (text: string) => Uint8Array
  /** True if no character becomes "?". */
  readonly holds: (text: string) => boolean
}

export interface TextEncoding extends Encoding {
  /** What the file begins with. It depends on what was encoded: a spreadsheet reads letters in UTF-8 only behind a mark. */
  readonly mark: () => Uint8Array
}

/**
 * How results are written. The format decides: a CSV of a list of text keeps the encoding of the list, and everything else is
 * UTF-8, JSON Lines without a mark (RFC 8259, section 8.1).
 */
export function outputEncoding(
  format: OutputFormat,
  input: Pick<ListInput, 'format' | 'encoding'>,
): TextEncoding {
  const { name, hasBom } = keptEncoding(format, input) ?? { name: 'utf-8', hasBom: false }
  const { encode, holds } = encodingCalled(name)
  let isAscii = true
  return {
    encode(text) {
      isAscii &&= !/[^\0-\x7f]/.test(text)
      return encode(text)
    },
    holds,
    mark() {
      const isMarked = format === 'csv' && (name === 'utf-8' ? hasBom || !isAscii : name.startsWith('utf-16'))
      return isMarked ? encode('\ufeff') : new Uint8Array()
    },
  }
}

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
