/** Finds where HTTP/1.1 responses end in a stream of bytes: as much of the protocol as the measured servers speak. */

const HEAD_END = Buffer.from('\r\n\r\n')
const LAST_CHUNK = Buffer.from('\r\n0\r\n\r\n')
const LENGTH_NAMES = ['\r\nContent-Length: ', '\r\ncontent-length: '].map((name) => Buffer.from(name))
/** Statuses without a body. */
const BODYLESS: ReadonlySet<number> = new Set([204, 304])

/**
 * Reads responses one after the other on one connection; calls back with the status and the bytes at the end of each.
 *
 * Knows Content-Length, chunked bodies (by their last chunk) and statuses without a body.
 */
export function responseReader(
  onResponse: (status: number, response: Buffer) => void,
): (bytes: Buffer) => void {
  let pending: Buffer = Buffer.alloc(0)
  return function read(bytes) {
    pending = pending.length === 0 ? bytes : Buffer.concat([pending, bytes])
    for (;;) {
      const status = Number(pending.toString('latin1', 9, 12))
      const end = endOfResponse(pending, status)
      if (end < 0) return
      const response = pending.subarray(0, end)
      pending = pending.subarray(end)
      onResponse(status, response)
    }
  }
}

/** Offset behind the first response, or -1 while it is not whole. */
function endOfResponse(bytes: Buffer, status: number): number {
  const headEnd = bytes.indexOf(HEAD_END)
  if (headEnd < 0) return -1
  const bodyStart = headEnd + HEAD_END.length
  if (BODYLESS.has(status)) return bodyStart
  for (const name of LENGTH_NAMES) {
    const at = bytes.indexOf(name)
    if (at < 0 || at > headEnd) continue
    const end =
      bodyStart + Number.parseInt(bytes.toString('latin1', at + name.length, at + name.length + 12), 10)
    return bytes.length >= end ? end : -1
  }
  const last = bytes.indexOf(LAST_CHUNK, headEnd + 2)
  return last < 0 ? -1 : last + LAST_CHUNK.length
}
