import { closeSync, openSync, readSync } from 'node:fs'
import { ReceiptFault } from '../../../../src/receipts/verify-receipt.ts'
import { parseJson } from '../../../../src/values/json.ts'

/** The statement of a list of a million values has some 100 MB. */
const MOST_BYTES = 256 * 1024 * 1024
const CHUNK_BYTES = 1024 * 1024
/** Brackets and commas: a statement of a million values has some three million. */
const MOST_PARTS = 8_000_000
const DEEPEST = 64

/** Reads a file of UTF-8 text; "-" is standard input. Throws {@link ReceiptFault}. */
export function readText(file: string): string {
  try {
    const bytes = readBytes(file)
    refuseSprawl(bytes)
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    if (error instanceof ReceiptFault) throw error
    throw new ReceiptFault(`A file cannot be read as UTF-8 text (${(error as NodeJS.ErrnoException).code}).`)
  }
}

/** Ends at the limit, also where a file has no end. */
function readBytes(file: string): Buffer {
  const descriptor = file === '-' ? 0 : openSync(file, 'r')
  try {
    const chunks: Buffer[] = []
    for (let total = 0; ; ) {
      const chunk = Buffer.allocUnsafe(CHUNK_BYTES)
      const size = readSync(descriptor, chunk, {})
      if (size === 0) return Buffer.concat(chunks)
      chunks.push(chunk.subarray(0, size))
      total += size
      if (total > MOST_BYTES) throw new ReceiptFault('A file is larger than 256 MB.')
    }
  } finally {
    if (descriptor !== 0) closeSync(descriptor)
  }
}

const [QUOTE, BACKSLASH, COMMA] = [0x22, 0x5c, 0x2c]
/** In the codes of ASCII, "]" and "}" are two behind "[" and "{". */
const OPENING = [0x5b, 0x7b]

/** Parsed JSON of many small or deep parts takes thirty times its size in memory, so that it is refused before. */
function refuseSprawl(bytes: Buffer): void {
  let [depth, parts, isText] = [0, 0, false]
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0
    if (byte === QUOTE) isText = !isText
    else if (isText) at += byte === BACKSLASH ? 1 : 0
    else if (OPENING.includes(byte)) depth += 1
    else if (OPENING.includes(byte - 2)) depth -= 1
    else if (byte !== COMMA) continue
    if (!isText) parts += 1
    if (parts > MOST_PARTS || depth > DEEPEST) throw new ReceiptFault('A file has too many parts.')
  }
}

export function readJson(file: string): unknown {
  const json = parseJson(readText(file))
  if (json === undefined) throw new ReceiptFault('A file is not JSON.')
  return json
}
