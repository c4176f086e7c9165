/**
 * Decides when the requests of each connection are parsed and started: in their order, few at once, and none while bytes of
 * an earlier answer wait for the client. Requests of an address over its traffic budget start later.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { readPaymentHeader } from '../headers/payment-header.ts'
import type { Handler } from '../middleware.ts'
import { hasMore, type Lane, laneOf, mayStart, parseInPieces } from './connection-lane.ts'
import type { IdleConnections } from './connection-limits.ts'

/** What client addresses take of the service (`traffic-budget.ts`). */
export interface Traffic {
  /** Milliseconds that a request must wait before it starts. */
  heldMs(req: IncomingMessage): number
  /** Counts what a request and its answer took, in bytes. */
  add(req: IncomingMessage, res: ServerResponse, bytes: number): void
}

export const UNLIMITED: Traffic = { heldMs: () => 0, add: () => {} }

export interface Pace {
  /** Requests of one connection that are worked on at once. */
  readonly mostAtOnce: number
  /** Bytes in memory of requests that have not arrived whole; beyond them `giveUp` ends the one begun first. */
  readonly mostHeld: number
  readonly giveUp: (socket: Socket) => void
  /** Ends a connection whose request line no client sends. */
  readonly malformed: (socket: Socket) => void
  readonly idle: IdleConnections
  readonly traffic: Traffic
}

/** How long requests are started before the event loop serves other connections and timers. */
const TURN_MS = 2

export interface PacedRequests {
  /** Listens to "request" of a server. */
  readonly handle: Handler
  /** Listens to "connection". */
  open(socket: Socket): void
  /** From now on each answer is the last of its connection, and says so. */
  end(): void
  /** Does the same, and closes connections without a request; called when the server closes. */
  closeIdle(): void
}

export function paceRequests(listener: Handler, pace: Pace): PacedRequests {
  const { mostAtOnce, mostHeld, giveUp, malformed, idle, traffic } = pace
  /**
   * Connections that wait for their turn: in the first queue those whose next request seems to pay, in the second all others.
   * Turns are taken from both by turns, so that a flood of unpaid requests leaves every second turn to those that pay.
   */
  const queues: readonly [Lane[], Lane[]] = [[], []]
  let turnEnds: number | null = null
  const lanes = new Set<Lane>()
  /** Those with a request that has not arrived whole, the one begun first at the front. */
  const arriving = new Set<Lane>()
  let held = 0
  let isEnding = false
  let isClosing = false

  /** Requests that are under way when the server closes have little time left, so they are not held back. */
  const heldMs = (req: IncomingMessage) => (isClosing ? 0 : traffic.heldMs(req))

  /** Makes an answer the last one of its connection, unless more requests on it have arrived. */
  const endWith = (lane: Lane, res: ServerResponse) => {
    if (hasMore(lane) || res.headersSent || !res.shouldKeepAlive) return
    res.shouldKeepAlive = false
    lane.last = res
  }

  const start = (lane: Lane) => {
    if (!mayStart(lane, mostAtOnce)) return
    const [req, res] = lane.waiting ?? []
    lane.waiting = undefined
    if (req === undefined || res === undefined || req.socket.destroyed) return
    lane.underWay.add(res)
    if (isEnding) endWith(lane, res)
    listener(req, res)
  }

  const enqueue = (lane: Lane) => {
    if (lane.isQueued) return
    lane.isQueued = true
    const [req] = lane.waiting ?? []
    const waitMs = req === undefined ? 0 : heldMs(req)
    const join = () => {
      queues[req === undefined || readPaymentHeader(req).kind === 'none' ? 1 : 0].push(lane)
      beginTurn()
    }
    if (waitMs > 0) setTimeout(join, waitMs).unref()
    else join()
  }

  /** Sees to it that the queues are served; returns true while this turn of the event loop has time to start requests. */
  const beginTurn = (): boolean => {
    const now = performance.now()
    if (turnEnds === null) {
      turnEnds = now + TURN_MS
      setImmediate(takeTurn)
    }
    return now < turnEnds
  }

  const takeTurn = () => {
    const ends = performance.now() + TURN_MS
    turnEnds = null
    while (queues.some(({ length }) => length > 0)) {
      for (const queue of queues) {
        const lane = queue.shift()
        if (lane === undefined) continue
        lane.isQueued = false
        start(lane)
        goOn(lane)
      }
      if (performance.now() >= ends) return void beginTurn()
    }
  }

  /** Counts what a connection holds, which was `before` bytes. */
  const count = (lane: Lane, before: number) => {
    held += lane.held - before
    if (lane.held > 0) arriving.add(lane)
    else arriving.delete(lane)
    const [first] = held > mostHeld ? arriving : []
    if (first === undefined) return
    free(first)
    giveUp(first.socket)
  }
  const free = (lane: Lane) => {
    const before = lane.held
    lane.held = 0
    count(lane, before)
  }

  const goOn = (lane: Lane) => {
    const before = lane.held
    const isMore = lane.parse()
    count(lane, before)
    // The end of a body in chunks tells what came behind it.
    if (isEnding) for (const res of lane.underWay) endWith(lane, res)
    if (isMore || (lane.waiting !== undefined && mayStart(lane, mostAtOnce))) enqueue(lane)
  }

  /** No other connection waits, and this turn has time left. */
  const isFree = (lane: Lane) => !lane.isQueued && queues.every(({ length }) => length === 0) && beginTurn()

  const handle: Handler = (req, res) => {
    const { socket } = req
    const lane = laneOf(socket)
    if (lane.isRefused) return
    // This request arrived before the head of the last answer was sent, so another answer becomes the last one.
    if (lane.last !== undefined) lane.last.shouldKeepAlive = true
    lane.last = undefined
    lane.unanswered += 1
    lane.newest = req
    lane.left = Number(req.headers['content-length'] ?? 0)
    lane.held = 0
    res.on('close', () => {
      lane.unanswered -= 1
      lane.underWay.delete(res)
      if (lane.newest === req) lane.newest = undefined
      const passed = socket.bytesRead + socket.bytesWritten
      traffic.add(req, res, passed - lane.counted)
      lane.counted = passed
      if (lane.endsAt !== undefined && lane.unanswered <= lane.endsAt) return void socket.destroySoon()
      if (lane.waiting !== undefined || lane.unread.length > 0) enqueue(lane)
      else if (lane.unanswered === 0 && !socket.destroyed) idle.add(socket)
    })
    lane.waiting = [req, res]
    if (lane.unanswered === 1 && isFree(lane) && heldMs(req) === 0) start(lane)
    else enqueue(lane)
  }

  const hasBytes = (lane: Lane) => {
    if (isFree(lane)) goOn(lane)
    else enqueue(lane)
  }

  const open = (socket: Socket) => {
    const lane = laneOf(socket)
    lanes.add(lane)
    socket.once('close', () => {
      lanes.delete(lane)
      free(lane)
    })
    parseInPieces(socket, mostAtOnce, hasBytes, malformed)
    socket.on('data', () => idle.delete(socket))
  }

  const end = () => {
    isEnding = true
    for (const lane of lanes) for (const res of lane.underWay) endWith(lane, res)
  }
  const closeIdle = () => {
    isClosing = true
    end()
    for (const socket of idle) socket.destroy()
  }
  return { handle, open, end, closeIdle }
}
