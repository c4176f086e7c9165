/**
 * Each connection has one request under way. A client that sends another one before the answer has left is disconnected after
 * that answer, so that nothing piles up behind a client that does not read. No known client or proxy does so.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { closeAfter, endsWithAnswer } from '../body/close-after.ts'
import type { Handler } from '../middleware.ts'
import type { IdleConnections } from './connection-limits.ts'
import type { Traffic } from './traffic-budget.ts'

export interface RequestLimits {
  /** Bytes in memory of requests that have not arrived whole; beyond them `giveUp` ends the one begun first. */
  readonly mostHeld: number
  readonly giveUp: (socket: Socket) => void
  readonly idle: IdleConnections
  readonly traffic: Traffic
}

export interface Requests {
  /** Listens to "request" of a server. */
  readonly handle: Handler
  /** Listens to "connection". */
  open(socket: Socket): void
  /**
   * Ends a connection after its answer; false if no answer is under way. The client would take a refusal that is written now
   * for that answer, which may be charged.
   */
  endAfterAnswer(socket: Socket): boolean
  /** From now on each answer is the last of its connection, and says so. */
  end(): void
  /** Does the same, and closes connections without a request; called when the server closes. */
  closeIdle(): void
}

interface Connection {
  readonly socket: Socket
  /** The newest request. */
  req?: IncomingMessage
  /** Its answer, until it has left. */
  res?: ServerResponse | undefined
  /** What is being parsed. */
  bytes?: Buffer | undefined
  /** Ends a pause in reading. */
  pause?: NodeJS.Timeout | undefined
  /** Its bytes in memory, 0 once it has arrived whole. */
  held: number
  /** What is counted as traffic since the last answer, and since the last pause. */
  weight: number
  unpaused: number
  /** How many of the bytes written are counted already. */
  written: number
}

/** What a request that comes too early counts as: some forty of them use up the budget of their address. */
const EARLY_BYTES = 2 ** 19
/** What is read between two pauses, so that a short body of an address beyond its budget arrives in time. */
const READ_BETWEEN = 16_384
/** One read may hold 11,000 chunks of one byte. It is parsed in pieces, so that a pause takes effect between two of them. */
const PIECE_BYTES = 1_024

export function oneRequestEach(listener: Handler, limits: RequestLimits): Requests {
  const { mostHeld, giveUp, idle, traffic } = limits
  const connections = new Map<Socket, Connection>()
  /** Those with a request that has not arrived whole, the one begun first at the front. */
  const arriving = new Set<Connection>()
  let held = 0
  let isEnding = false
  let isClosing = false

  const hold = (connection: Connection, bytes: number) => {
    held += bytes - connection.held
    connection.held = bytes
    if (bytes > 0) arriving.add(connection)
    else arriving.delete(connection)
  }

  const resume = (connection: Connection) => {
    clearTimeout(connection.pause)
    connection.pause = undefined
    connection.unpaused = 0
    connection.socket.resume()
  }

  const pause = (connection: Connection, milliseconds: number, after = () => {}) => {
    connection.socket.pause()
    clearTimeout(connection.pause)
    connection.pause = setTimeout(() => {
      resume(connection)
      after()
    }, milliseconds).unref()
  }

  /** Counts a read, and pauses if its address is beyond its budget. */
  const countRead = (connection: Connection, bytes: number) => {
    const { socket, req, res } = connection
    const sender = req === undefined || res === undefined ? headless(socket) : req
    const weight = traffic.weigh(sender, bytes)
    traffic.count(sender, weight)
    connection.weight += weight
    connection.unpaused += weight
    if (connection.unpaused < READ_BETWEEN || connection.pause !== undefined || isClosing) return
    const heldMs = traffic.heldMs(sender)
    if (heldMs > 0) pause(connection, heldMs)
  }

  const start = (req: IncomingMessage, res: ServerResponse) => {
    if (!req.socket.writable) return
    if (isEnding) closeAfter(res)
    listener(req, res)
  }

  const handle: Handler = (req, res) => {
    const { socket } = req
    const connection = connections.get(socket)
    if (connection === undefined) return
    // Nothing is served on a connection that has been told its end.
    if (!socket.writable || connection.res !== undefined) {
      if (connection.res !== undefined) closeAfter(connection.res)
      traffic.count(req, EARLY_BYTES)
      // One read can hold 2,500 requests. The parser stops at a zero; it has copied what came before.
      connection.bytes?.fill(0)
      return
    }
    connection.req = req
    connection.res = res
    // The head may have come in pieces, before it said whose it is.
    if (connection.weight > 0) {
      traffic.count(headless(socket), -connection.weight)
      traffic.count(req, connection.weight)
    }
    res.on('close', () => {
      connection.res = undefined
      traffic.answered(req, res, socket.bytesWritten - connection.written, connection.weight)
      connection.written = socket.bytesWritten
      connection.weight = 0
      // A proxy uses the connection for others.
      if (connection.pause !== undefined) resume(connection)
      if (!socket.destroyed) idle.add(socket)
    })
    // Requests that are under way when the server closes have little time left, so they are not held back.
    const heldMs = isClosing ? 0 : traffic.heldMs(req)
    if (heldMs === 0) return start(req, res)
    // Node discards no body of which something was read.
    res.once('finish', () => req.resume())
    pause(connection, heldMs, () => start(req, res))
  }

  const open = (socket: Socket) => {
    const connection: Connection = { socket, held: 0, weight: 0, unpaused: 0, written: 0 }
    connections.set(socket, connection)
    // Node resumes a socket whenever its request is read.
    const resumeNow = socket.resume.bind(socket)
    socket.resume = () => (connection.pause === undefined ? resumeNow() : socket)
    const push = socket.push.bind(socket)
    socket.push = (read: Buffer | null) => {
      if (read === null) return push(null)
      let wantsMore = true
      for (let at = 0, end = 0; at < read.length; at = end) {
        end = mayBeChunked(connection) ? at + PIECE_BYTES : read.length
        wantsMore = push(read.subarray(at, end))
      }
      return wantsMore
    }
    socket.once('close', () => {
      connections.delete(socket)
      clearTimeout(connection.pause)
      hold(connection, 0)
    })
    // Node's own listener, which parses the bytes, comes between these two.
    socket.prependListener('data', (bytes: Buffer) => {
      connection.bytes = bytes
    })
    socket.on('data', ({ length }: Buffer) => {
      connection.bytes = undefined
      idle.delete(socket)
      countRead(connection, length)
      const { req } = connection
      if (req === undefined) return
      hold(connection, req.complete ? 0 : connection.held + length)
      const [first] = held > mostHeld ? arriving : []
      if (first === undefined) return
      hold(first, 0)
      giveUp(first.socket)
    })
  }

  const endAfterAnswer = (socket: Socket) => {
    const { req, res } = connections.get(socket) ?? {}
    if (res === undefined) return endsWithAnswer(socket)
    // A request that has not arrived whole is never answered.
    if (req?.complete !== true) return false
    closeAfter(res)
    return true
  }
  const end = () => {
    isEnding = true
    for (const { res } of connections.values()) if (res?.headersSent === false) closeAfter(res)
  }
  const closeIdle = () => {
    isClosing = true
    end()
    for (const socket of idle) socket.destroy()
  }
  return { handle, open, endAfterAnswer, end, closeIdle }
}

/** Also true while the head is not read. */
const mayBeChunked = ({ req, res }: Connection): boolean =>
  res === undefined || req?.headers['transfer-encoding'] !== undefined

/** A request of which only its connection is known. */
const headless = (socket: Socket) =>
  ({ socket, url: '', headers: {}, headersDistinct: {} }) as unknown as IncomingMessage
