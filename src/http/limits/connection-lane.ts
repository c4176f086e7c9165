import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** The state of one connection. */
export interface Lane {
  readonly socket: Socket
  /** Received and not parsed yet. */
  unread: Bytes
  /** Parsed and not started yet: no other request is parsed meanwhile. */
  waiting: readonly [IncomingMessage, ServerResponse] | undefined
  readonly underWay: Set<ServerResponse>
  unanswered: number
  /** The request that was parsed last, until it is answered. */
  newest: IncomingMessage | undefined
  /** Bytes of its body that were not parsed yet, if it says its length. */
  left: number
  /** Bytes of that request which are in memory, 0 once it has arrived whole. */
  held: number
  /** The answer under way whose head will say that the connection closes after it. */
  last: ServerResponse | undefined
  /** Whether it is in a queue of `pace-requests.ts`. */
  isQueued: boolean
  /** Whether what arrives from now on is dropped. */
  isRefused: boolean
  /** The connection is closed once no more than this many requests are unanswered. */
  endsAt: number | undefined
  /** How many of the bytes read and written are counted as traffic already. */
  counted: number
  /** Parses a piece of what was received if it may; returns true if another piece may be parsed at once. */
  parse(): boolean
}

/** Bytes parsed in one go. Node's parser takes all that it is given, and one read can hold 2,500 requests. */
const HEAD_BYTES = 1_024
const BODY_BYTES = 8_192
/** Room for a request line; a longer one is looked at so far. */
const LONGEST_LINE = 2_048
/** How a head ends, and a body in chunks. */
const END = '\r\n\r\n'

type Bytes = Buffer<ArrayBuffer>

const NOTHING: Bytes = Buffer.alloc(0)
const LANE = Symbol('requests of a connection')
type WithLane = Socket & { [LANE]?: Lane }

export const laneOf = (socket: WithLane): Lane => {
  socket[LANE] ??= {
    socket,
    unread: NOTHING,
    waiting: undefined,
    underWay: new Set(),
    unanswered: 0,
    newest: undefined,
    left: 0,
    held: 0,
    last: undefined,
    isQueued: false,
    isRefused: false,
    endsAt: undefined,
    counted: 0,
    parse: () => false,
  }
  return socket[LANE]
}

/**
 * Ends a connection after its pending answers and reads no more requests; returns false if no answer is pending. A refusal
 * written now would be taken for the answer to an earlier request, which may be charged.
 */
export function endAfterAnswer(socket: Socket): boolean {
  const lane = laneOf(socket)
  lane.isRefused = true
  // A request that has not arrived whole is never answered.
  const endsAt = lane.newest?.complete === false ? 1 : 0
  if (lane.unanswered <= endsAt) return false
  lane.endsAt = endsAt
  return true
}

/** Drops what came behind the request that is refused: its answer is the last one of the connection. */
export function dropRest(socket: Socket): void {
  const lane = laneOf(socket)
  lane.isRefused = true
  lane.waiting = undefined
}

/** A request line with more than one space between its parts, or without a version: Node's parser takes both. */
const ODD_LINE = /^(?:[!-~]* [ \t]|[!-~]+ [!-~]+ [ \t]|[!-~]+(?: [!-~]*)?\r?\n)/
/** What may come before a request line (RFC 9112, section 2.2). */
const BLANK = /^[\r\n]+/

const textOf = (bytes: Bytes) => bytes.toString('latin1', 0, HEAD_BYTES)

/** How much to parse of a head, or of a body in chunks, of which `before` was parsed last. */
function endOfPart(before: string, bytes: Bytes): number {
  const at = (before + textOf(bytes)).indexOf(END)
  // A chunk may be of one byte, and each is an event of its own; so chunked bodies are parsed in short pieces.
  return at < 0 ? HEAD_BYTES : at + END.length - before.length
}

/**
 * Hands what a client sends to Node's parser piece by piece, and only while another request may start. A piece ends where a
 * request does, so that each request line is seen before its request is parsed.
 */
export function parseInPieces(
  socket: Socket,
  mostAtOnce: number,
  hasBytes: (lane: Lane) => void,
  refuse: (socket: Socket) => void,
): void {
  // Node's own listeners, which were added last. Any listener of "data" also stops its native code from reading the socket.
  const [toParser, atEnd] = [socket.listeners('data').at(-1), socket.listeners('end').at(-1)]
  if (toParser === undefined || atEnd === undefined) throw new Error('a connection without a parser')
  socket.off('data', toParser as () => void).off('end', atEnd as () => void)
  const lane = laneOf(socket)
  const resume = socket.resume.bind(socket)
  // Node resumes a connection whenever it hands on a piece of a body.
  socket.resume = () => (lane.unread.length > 0 ? socket : resume())
  let current: IncomingMessage | undefined
  /** The head that is arriving, and the end of what was parsed of a head or a body in chunks. */
  let [head, tail] = ['', '']
  let hasEnded = false
  let isPaused = false
  const mayParse = () =>
    lane.unread.length > 0 &&
    lane.waiting === undefined &&
    (lane.newest?.complete === false || (mayStart(lane, mostAtOnce) && !socket.writableNeedDrain))
  const pause = () => {
    isPaused = true
    socket.pause()
  }
  lane.parse = () => {
    if (lane.isRefused || socket.destroyed) lane.unread = NOTHING
    if (mayParse()) {
      const isHead = current?.complete !== false
      const [blank] = isHead && head === '' ? (BLANK.exec(textOf(lane.unread)) ?? ['']) : ['']
      const piece = lane.unread.subarray(
        0,
        blank.length || (lane.left > 0 ? Math.min(lane.left, BODY_BYTES) : endOfPart(tail, lane.unread)),
      )
      lane.unread = lane.unread.subarray(piece.length)
      if (isHead && blank === '' && head.length < LONGEST_LINE) {
        head += textOf(piece)
        if (ODD_LINE.test(head)) refuse(socket)
      }
      const isCounted = lane.left > 0
      if (lane.isRefused || socket.destroyed) lane.unread = NOTHING
      else toParser.call(socket, piece)
      if (isCounted) lane.left -= piece.length
      else if (blank === '') tail = (tail + textOf(piece)).slice(1 - END.length)
      if (isHead && lane.newest !== undefined && lane.newest !== current) {
        current = lane.newest
        ;[head, tail] = ['', '']
      }
      lane.held = lane.newest?.complete === false ? lane.held + piece.length : 0
    }
    if (lane.unread.length > 0) {
      pause()
      return mayParse()
    }
    if (isPaused) socket.resume()
    isPaused = false
    if (hasEnded && lane.waiting === undefined) {
      hasEnded = false
      atEnd.call(socket)
    }
    return false
  }
  socket.on('data', (bytes: Bytes) => {
    lane.unread = lane.unread.length === 0 ? bytes : Buffer.concat([lane.unread, bytes])
    hasBytes(lane)
    // No more is read until this is parsed, or what waits would grow without a bound.
    if (lane.unread.length > 0) pause()
  })
  socket.on('end', () => {
    hasEnded = true
    hasBytes(lane)
  })
  socket.on('drain', () => hasBytes(lane))
}

/** Whether another request may have arrived behind the newest one: behind a body in chunks that is known at its end. */
export const hasMore = ({ unanswered, unread, left }: Lane): boolean => unanswered > 1 || unread.length > left

/** None may start while the client does not read an answer. */
export const mayStart = ({ underWay }: Lane, mostAtOnce: number) =>
  underWay.size < mostAtOnce && ![...underWay].some((res) => res.writableLength > 0)
