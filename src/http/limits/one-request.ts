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
  /** Whether it is held back by the traffic budget. */
  isWaiting: boolean
  /** Its bytes in memory, 0 once it has arrived whole. */
  held: number
  /** How many of the bytes read and written are counted as traffic already. */
  counted: number
}

/** What a request that comes too early counts as: some forty of them use up the budget of their address. */
const EARLY_BYTES = 2 ** 19

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
      traffic.add(req, res, EARLY_BYTES)
      // One read can hold 2,500 requests. The parser stops at a zero; it has copied what came before.
      connection.bytes?.fill(0)
      return
    }
    connection.req = req
    connection.res = res
    res.on('close', () => {
      connection.res = undefined
      const passed = socket.bytesRead + socket.bytesWritten
      traffic.add(req, res, passed - connection.counted)
      connection.counted = passed
      if (!socket.destroyed) idle.add(socket)
    })
    // Requests that are under way when the server closes have little time left, so they are not held back.
    const heldMs = isClosing ? 0 : traffic.heldMs(req)
    if (heldMs === 0) return start(req, res)
    connection.isWaiting = true
    // Node discards no body of which something was read.
    res.once('finish', () => req.resume())
    setTimeout(() => {
      connection.isWaiting = false
      start(req, res)
    }, heldMs).unref()
  }

  const open = (socket: Socket) => {
    const connection: Connection = { socket, isWaiting: false, held: 0, counted: 0 }
    connections.set(socket, connection)
    socket.once('close', () => {
      connections.delete(socket)
      hold(connection, 0)
    })
    // Node's own listener, which parses the bytes, comes between these two.
    socket.prependListener('data', (bytes: Buffer) => {
      connection.bytes = bytes
    })
    socket.on('data', ({ length }: Buffer) => {
      connection.bytes = undefined
      idle.delete(socket)
      const { req, isWaiting } = connection
      if (req === undefined) return
      if (isWaiting) joinChunks(req)
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

/** A chunk may be of one byte, and takes some 300 in memory until it is read. */
function joinChunks(req: IncomingMessage): void {
  // Reading nothing would end an empty body before anyone listens.
  if (req.readableLength > 0) req.unshift(req.read(req.readableLength))
}
