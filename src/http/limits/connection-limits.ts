/** Limits of open connections and of requests on one connection. A client over a limit is refused unread. */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { rawErrorResponse, rawResponseText } from '../body/raw-error-response.ts'
import type { Handler } from '../middleware.ts'
import { addressKey } from './address-key.ts'

export interface ConnectionLimits {
  readonly mostConnections: number
  /** Per client address; 0 if all clients come through one proxy, or for no limit. */
  readonly mostPerAddress: number
  /** Unanswered requests of one connection. */
  readonly mostUnderWay: number
}

/** Why a connection was refused: too many in all, too many of its address, or too many unanswered requests on it. */
export type RefusedConnection = 'all' | 'address' | 'pipeline'

/** Is informed of every connection, for the metrics. */
export interface ConnectionObserver {
  /** Returns a function that is called when the connection is closed. */
  opened(): () => void
  /** Called in addition to `opened`; also when an idle connection makes room for a new one. */
  refused(limit: RefusedConnection): void
}

/** Connections over the limit that still get a 503; above them Node closes without a response. */
const REFUSED_POLITELY = 64
/** How long a refused client has to read the response. */
const READ_MS = 1_000

const TOO_MANY_CONNECTIONS = rawResponseText(rawErrorResponse('too_many_connections', { retrySeconds: 5 }))
const TOO_MANY_AT_ONCE = rawErrorResponse('too_many_requests', {
  detail:
    'Too many requests of one connection wait for answers. This one was not charged; repeat it unchanged.',
  retrySeconds: 1,
})

const UNOBSERVED: ConnectionObserver = { opened: () => () => {}, refused: () => {} }

/** Connections of a server whose requests are all answered, the longest idle first. */
export type IdleConnections = Set<Socket>

const UNDER_WAY = Symbol('requests under way')
const REFUSED = Symbol('refused')
/** The newest request under way. */
const NEWEST = Symbol('newest request')
const ENDS = Symbol('ends after an answer')
type Marked = Socket & {
  [UNDER_WAY]?: number
  [REFUSED]?: true
  [NEWEST]?: IncomingMessage | undefined
  [ENDS]?: true
}

/**
 * Refuses connections over the limits. Above `mostConnections` the longest idle connection is closed instead, so that
 * connections kept without need do not shut new clients out.
 */
export function limitConnections(
  server: Server,
  { mostConnections, mostPerAddress }: Pick<ConnectionLimits, 'mostConnections' | 'mostPerAddress'>,
  idle: IdleConnections,
  observer: ConnectionObserver = UNOBSERVED,
): void {
  server.maxConnections = mostConnections + REFUSED_POLITELY
  const open = new Map<string, number>()
  let all = 0

  server.on('connection', (socket: Marked) => {
    const key = addressKey(socket.remoteAddress ?? '')
    const own = (open.get(key) ?? 0) + 1
    all += 1
    const closed = observer.opened()
    open.set(key, own)
    socket.once('close', () => {
      all -= 1
      closed()
      idle.delete(socket)
      const left = (open.get(key) ?? 1) - 1
      if (left > 0) open.set(key, left)
      else open.delete(key)
    })
    if (mostPerAddress > 0 && own > mostPerAddress) {
      observer.refused('address')
      refuse(socket)
    } else if (all > mostConnections) {
      observer.refused('all')
      if (!closeLongestIdle(idle)) refuse(socket)
    }
  })
  // Beyond the polite refusals Node closes connections without the event above.
  server.on('drop', () => observer.refused('all'))
}

function closeLongestIdle(idle: IdleConnections): boolean {
  const [longest] = idle
  if (longest === undefined) return false
  idle.delete(longest)
  longest.destroy()
  return true
}

function refuse(socket: Marked): void {
  socket[REFUSED] = true
  socket.end(TOO_MANY_CONNECTIONS)
  setTimeout(() => socket.destroy(), READ_MS).unref()
}

/**
 * Wraps a listener: ignores requests of refused connections, and answers the first request beyond `mostUnderWay` with
 * 429 and closes the connection.
 */
export function limitPipelines(
  listener: Handler,
  mostUnderWay: number,
  idle: IdleConnections,
  observer: ConnectionObserver = UNOBSERVED,
): Handler {
  return function limited(req: IncomingMessage, res: ServerResponse) {
    const socket: Marked = req.socket
    if (socket[REFUSED]) return
    const underWay = (socket[UNDER_WAY] ?? 0) + 1
    if (underWay > mostUnderWay) {
      observer.refused('pipeline')
      socket[REFUSED] = true
      return void res.writeHead(429, [...TOO_MANY_AT_ONCE.headers]).end(TOO_MANY_AT_ONCE.body)
    }
    socket[UNDER_WAY] = underWay
    socket[NEWEST] = req
    idle.delete(socket)
    res.on('close', () => {
      const left = (socket[UNDER_WAY] ?? 1) - 1
      socket[UNDER_WAY] = left
      if (socket[NEWEST] === req) socket[NEWEST] = undefined
      if (socket[ENDS]) return void socket.destroySoon()
      if (left === 0 && !socket.destroyed) idle.add(socket)
    })
    listener(req, res)
  }
}

/**
 * Ends a connection after its pending answer and reads no more requests; false if none is pending. A refusal of what
 * came behind a whole request would be taken for the answer to that request, which may be charged.
 */
export function endAfterAnswer(socket: Marked): boolean {
  const isNewestWhole = socket[NEWEST]?.complete !== false
  if ((socket[UNDER_WAY] ?? 0) <= (isNewestWhole ? 0 : 1)) return false
  socket[REFUSED] = true
  socket[ENDS] = true
  return true
}
