/** One connection: what was received and is not parsed yet, and the requests that wait or are under way. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export interface Lane {
  /** Received and not parsed. */
  unread: Bytes
  readonly waiting: (readonly [IncomingMessage, ServerResponse])[]
  readonly underWay: Set<ServerResponse>
  /** Waiting or under way. */
  unanswered: number
  newest: IncomingMessage | undefined
  /** The answer under way that says that it is the last one. */
  last: ServerResponse | undefined
  isQueued: boolean
  isRefused: boolean
  /** The connection ends when no more than so many requests are unanswered. */
  endsAt: number | undefined
  /** Bytes read and written that were counted. */
  counted: number
  /** Parses a piece of what was received, if it may be parsed now; true if there is more that may. */
  parse(): boolean
}

/** Bytes parsed in one go: Node parses all it is given, and a read can hold 2,500 requests. */
const HEAD_BYTES = 1_024
const BODY_BYTES = 8_192

type Bytes = Buffer<ArrayBuffer>

const NOTHING: Bytes = Buffer.alloc(0)
const LANE = Symbol('requests of a connection')
type WithLane = Socket & { [LANE]?: Lane }

export const laneOf = (socket: WithLane): Lane => {
  socket[LANE] ??= {
    unread: NOTHING,
    waiting: [],
    underWay: new Set(),
    unanswered: 0,
    newest: undefined,
    last: undefined,
    isQueued: false,
    isRefused: false,
    endsAt: undefined,
    counted: 0,
    parse: () => false,
  }
  return socket[LANE]
}

export function refuseRequests(socket: Socket): void {
  laneOf(socket).isRefused = true
}

/**
 * Ends a connection after its pending answers and reads no more requests; false if none is pending. A refusal of what
 * came behind a whole request would be taken for the answer to that request, which may be charged.
 */
export function endAfterAnswer(socket: Socket): boolean {
  const lane = laneOf(socket)
  lane.isRefused = true
  const endsAt = lane.newest?.complete === false ? 1 : 0
  if (lane.unanswered <= endsAt) return false
  lane.endsAt = endsAt
  return true
}

/** Hands what a client sends to Node's parser piece by piece, and only while a request may start. */
export function parseInPieces(socket: Socket, mostAtOnce: number, hasBytes: (lane: Lane) => void): void {
  // Node's own, which are the last to have come; a listener of "data" takes the connection from its native reader.
  const [toParser, atEnd] = [socket.listeners('data').at(-1), socket.listeners('end').at(-1)]
  if (toParser === undefined || atEnd === undefined) throw new Error('a connection without a parser')
  socket.off('data', toParser as () => void).off('end', atEnd as () => void)
  const lane = laneOf(socket)
  let hasEnded = false
  let isPaused = false
  const mayParse = () =>
    lane.unread.length > 0 &&
    lane.waiting.length === 0 &&
    (lane.newest?.complete === false || (mayStart(lane, mostAtOnce) && !socket.writableNeedDrain))
  const pause = () => {
    isPaused = true
    socket.pause()
  }
  lane.parse = () => {
    if (lane.isRefused || socket.destroyed) lane.unread = NOTHING
    if (mayParse()) {
      const isBody = lane.newest?.complete === false
      // A chunk may be of one byte, and each is an event of its own.
      const length =
        isBody && lane.newest?.headers['transfer-encoding'] === undefined ? BODY_BYTES : HEAD_BYTES
      const piece = lane.unread.subarray(0, length)
      lane.unread = lane.unread.subarray(length)
      toParser.call(socket, piece)
    }
    if (lane.unread.length > 0) {
      pause()
      return mayParse()
    }
    if (isPaused) socket.resume()
    isPaused = false
    if (hasEnded && lane.waiting.length === 0) {
      hasEnded = false
      atEnd.call(socket)
    }
    return false
  }
  socket.on('data', (bytes: Bytes) => {
    lane.unread = lane.unread.length === 0 ? bytes : Buffer.concat([lane.unread, bytes])
    hasBytes(lane)
    // Until its turn comes no more is read, or what waits would grow without a bound.
    if (lane.unread.length > 0) pause()
  })
  socket.on('end', () => {
    hasEnded = true
    hasBytes(lane)
  })
  socket.on('drain', () => hasBytes(lane))
}

export const mayStart = ({ underWay }: Lane, mostAtOnce: number) =>
  underWay.size < mostAtOnce && ![...underWay].some((res) => res.writableLength > 0)
