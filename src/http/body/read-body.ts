import type { IncomingMessage, ServerResponse } from 'node:http'
import { closeAfter } from './close-after.ts'

export type Body =
  | { readonly kind: 'read'; readonly bytes: Buffer }
  | { readonly kind: 'too_large' }
  /** The client left before it had sent everything, so there is no one to answer. */
  | { readonly kind: 'aborted' }

/** Bytes of a body with a list, the largest that any surface reads. */
export const LIST_BODY_LIMIT = 1_048_576

/**
 * Bytes of an oversized body that are read and discarded. A client whose connection is closed while it still sends may
 * never see the 413.
 */
const DISCARD_LIMIT = 2 * LIST_BODY_LIMIT

const EMPTY: Body = { kind: 'read', bytes: Buffer.alloc(0) }

/** RFC 9112, 6.3. */
function isBodyless({ headers }: IncomingMessage): boolean {
  const length = headers['content-length']
  return headers['transfer-encoding'] === undefined && (length === undefined || length === '0')
}

/** Returns the bytes as they were sent. Never rejects. */
export function readBody(res: ServerResponse, limit: number): Promise<Body> {
  const { req } = res
  if (Number(req.headers['content-length'] ?? 0) > limit) {
    discardBody(res)
    return Promise.resolve({ kind: 'too_large' })
  }
  if (isBodyless(req)) return Promise.resolve(EMPTY)
  return new Promise((resolve) => {
    let bytes: Buffer = Buffer.alloc(0)
    let size = 0

    const settle = (body: Body) => {
      req.off('data', onData).off('end', onEnd).off('close', onClose).off('error', onClose)
      resolve(body)
    }
    const onData = (chunk: Buffer) => {
      const length = size + chunk.length
      if (length > limit) {
        discardBody(res)
        return settle({ kind: 'too_large' })
      }
      // A chunk may be of one byte, and kept as it is would take two hundred.
      if (length > bytes.length) bytes = Buffer.concat([bytes], Math.min(limit, 2 * length))
      size += chunk.copy(bytes, size)
    }
    const onEnd = () => settle({ kind: 'read', bytes: bytes.subarray(0, size) })
    const onClose = () => settle({ kind: 'aborted' })

    req.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose)
  })
}

/**
 * The connection stays usable; the answer to a body that is too long for that, or of unknown length, says that it
 * closes.
 */
export function discardBody(res: ServerResponse): void {
  const { req } = res
  const { socket } = req
  const isUnknown = req.headers['transfer-encoding'] !== undefined && !req.complete
  if (isUnknown || Number(req.headers['content-length'] ?? 0) > DISCARD_LIMIT) closeAfter(res)
  let left = DISCARD_LIMIT
  req.on('data', (chunk: Buffer) => {
    left -= chunk.length
    if (left < 0) socket.destroy()
  })
}
