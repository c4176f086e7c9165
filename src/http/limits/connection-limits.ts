/** A client over a limit is refused, and its request is not read. */
import type { Server } from 'node:http'
import type { Socket } from 'node:net'
import { rawErrorResponse, rawResponseText } from '../body/raw-error-response.ts'
import { addressKey } from './address-key.ts'

export interface ConnectionLimits {
  /** 0 is no limit. */
  readonly mostConnections: number
  /** Per client address; 0 if all clients come through one proxy, or for no limit. */
  readonly mostPerAddress: number
}

/** Why a connection was refused: too many in all, or too many of its address. */
export type RefusedConnection = 'all' | 'address'

export interface ConnectionObserver {
  /** Returns a function that is called when the connection is closed. */
  opened(): () => void
  /** Called in addition to `opened`; also when an idle connection makes room for a new one. */
  refused(limit: RefusedConnection): void
}

/** Connections over the limit that still get a 503; Node closes further ones without a response. */
const REFUSED_POLITELY = 64
/** How long a refused client has to read the response. */
const READ_MS = 1_000

const TOO_MANY_CONNECTIONS = rawResponseText(rawErrorResponse('too_many_connections', { retrySeconds: 5 }))
export const UNOBSERVED: ConnectionObserver = { opened: () => () => {}, refused: () => {} }

/** Connections on which nothing has come since their last answer, the longest idle first. */
export type IdleConnections = Set<Socket>

/**
 * Above `mostConnections` the longest idle connection is closed instead, so that connections kept without need do not shut
 * new clients out.
 */
export function limitConnections(
  server: Server,
  { mostConnections, mostPerAddress }: ConnectionLimits,
  idle: IdleConnections,
  observer: ConnectionObserver,
): void {
  const most = mostConnections || Number.POSITIVE_INFINITY
  server.maxConnections = most + REFUSED_POLITELY
  const open = new Map<string, number>()
  let all = 0

  server.on('connection', (socket) => {
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
    } else if (all > most) {
      observer.refused('all')
      if (!closeLongestIdle(idle)) refuse(socket)
    }
  })
  // Connections that Node closes by itself; they are no event "connection".
  server.on('drop', () => observer.refused('all'))
}

function closeLongestIdle(idle: IdleConnections): boolean {
  const [longest] = idle
  if (longest === undefined) return false
  idle.delete(longest)
  longest.destroy()
  return true
}

function refuse(socket: Socket): void {
  socket.end(TOO_MANY_CONNECTIONS)
  setTimeout(() => socket.destroy(), READ_MS).unref()
}
