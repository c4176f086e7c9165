import { closeSync, openSync, readSync } from 'node:fs'
import { ReceiptFault } from '../../../../src/receipts/verify-receipt.ts'
import { parseJson } from '../../../../src/values/json.ts'

/** The statement of a list of a million values has some 100 MB. */
const MOST_BYTES = 256 * 1024 * 1024
const CHUNK_BYTES = 1024 * 1024

/** Reads a file of UTF-8 text; "-" is standard input. Throws {@link ReceiptFault}. */
export function readText(file: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(readBytes(file))
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

export function readJson(file: string): unknown {
  const json = parseJson(readText(file))
  if (json === undefined) throw new ReceiptFault('A file is not JSON.')
  return json
}
