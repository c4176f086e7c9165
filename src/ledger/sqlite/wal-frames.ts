import { readSync } from 'node:fs'

/** Bytes, and places in them (sqlite.org/fileformat2.html#walformat). */
const HEADER = 32
const FRAME_HEADER = 24
const PAGE_SIZE_AT = 8
const HEADER_SUM_AT = 24
const FRAME_SUM_AT = 16
/** The last bit of the magic number: sums are over big-endian words. */
const BIG_ENDIAN = 1

/**
 * Reads the header and the first `count` frames of a write-ahead log. Throws if a frame is not the one that was written:
 * the system has dropped a page from memory that never reached the disk.
 */
export function readFrames(file: number, count: number): Buffer {
  if (count === 0) return Buffer.alloc(0)
  const header = Buffer.alloc(HEADER)
  readSync(file, header, 0, HEADER, 0)
  const pageSize = header.readUInt32BE(PAGE_SIZE_AT)
  const frameSize = FRAME_HEADER + pageSize
  const log = Buffer.alloc(HEADER + count * frameSize)
  readSync(file, log, 0, log.length, 0)
  const word = (at: number) =>
    log.readUInt32BE(0) & BIG_ENDIAN ? log.readUInt32BE(at) : log.readUInt32LE(at)
  let [one, two] = [log.readUInt32BE(HEADER_SUM_AT), log.readUInt32BE(HEADER_SUM_AT + 4)]
  const add = (from: number, length: number) => {
    for (let at = from; at < from + length; at += 8) {
      one = (one + word(at) + two) >>> 0
      two = (two + word(at + 4) + one) >>> 0
    }
  }
  for (let frame = HEADER; frame < log.length; frame += frameSize) {
    add(frame, 8)
    add(frame + FRAME_HEADER, pageSize)
    if (log.readUInt32BE(frame + FRAME_SUM_AT) !== one || log.readUInt32BE(frame + FRAME_SUM_AT + 4) !== two)
      throw new Error('a part of the log was lost after a flush that failed; start the service again')
  }
  return log
}
