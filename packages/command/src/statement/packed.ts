import { crc32, gzipSync, inflateRawSync } from 'node:zlib'
import type { Budget } from '../../../../src/lists/budget.ts'
import { ReceiptFault } from '../../../../src/receipts/verify-receipt.ts'

/** A value of 512 characters, all escaped, takes 3 kB, and a result less. */
const MOST_BYTES_EACH = 4 * 1024
/** Of a gzip member without a name or comment (RFC 1952): deflate, no flags. */
const HEAD = Buffer.from([0x1f, 0x8b, 8, 0])
const [HEAD_BYTES, END_BYTES] = [10, 8]

/** Packs what a payment bought, or the results, as they are kept: gzipped JSON, base64. */
export const packItems = (items: readonly object[]): string =>
  gzipSync(JSON.stringify(items)).toString('base64')

/**
 * The bytes of `count` packed items. Throws {@link ReceiptFault} for other base64 than RFC 4648's, for more than one gzip member
 * or bytes behind it, and for more bytes than `count` items or the budget allow.
 */
export function unpack(packed: string, count: number, budget: Budget): Buffer {
  const bytes = Buffer.from(packed, 'base64')
  const most = Math.min(MOST_BYTES_EACH * (count + 1), budget.left('unpacked'))
  // Decoding is lenient: a changed text may decode to the same bytes.
  if (bytes.toString('base64') !== packed || !bytes.subarray(0, HEAD.length).equals(HEAD)) throw notPacked()
  const { buffer, engine } = inflated(bytes.subarray(HEAD_BYTES), most)
  const end = bytes.subarray(HEAD_BYTES + engine.bytesWritten)
  if (
    end.length !== END_BYTES ||
    end.readUInt32LE(0) !== crc32(buffer) ||
    end.readUInt32LE(4) !== buffer.length
  )
    throw notPacked()
  budget.take('unpacked', buffer.length)
  return buffer
}

function inflated(bytes: Buffer, maxOutputLength: number) {
  try {
    // The types lack what `info` changes: https://nodejs.org/api/zlib.html#class-options
    return inflateRawSync(bytes, { info: true, maxOutputLength }) as unknown as {
      readonly buffer: Buffer
      readonly engine: { readonly bytesWritten: number }
    }
  } catch {
    throw notPacked()
  }
}

const notPacked = () => new ReceiptFault('What was asked or answered is not packed as it is written.')
