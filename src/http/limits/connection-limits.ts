/**
 * Bounds on what one client, and all of them, can hold open: connections, and requests on one connection.
 *
 * Who is over them is told so and let go; nothing of what he sent is looked at.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { rawErrorResponse, refusalText } from '../body/raw-error-response.ts'
import type { Handler } from '../middleware.ts'
import { addressKey } from './address-key.ts'

export interface ConnectionLimits {
  readonly mostConnections: number
  /** Of one client address; 0 where all clients come through one proxy, or for no limit. */
  readonly mostPerAddress: number
  /** Requests of one connection that wait for their answers at once. */
  readonly mostUnderWay: number
}

/** Connections over the limit that are still told so; beyond them Node closes without a word. */
const TOLD = 64
/** How long somebody who was refused has to read it. */
const READ_MS = 1_000

const TOO_MANY_CONNECTIONS = refusalText(
  rawErrorResponse(503, 'Too many connections are open. Try again later.', 5),
)
const TOO_MANY_AT_ONCE = rawErrorResponse(429, 'Too many requests of one connection wait for answers.', 1)

const UNDER_WAY = Symbol('requests under way')
const REFUSED = Symbol('refused')
type Marked = Socket & { [UNDER_WAY]?: number; [REFUSED]?: true }

/** Turns away connections over the limits, from now on. */
export function limitConnections(
  server: Server,
  { mostConnections, mostPerAddress }: Pick<ConnectionLimits, 'mostConnections' | 'mostPerAddress'>,
): void {
  server.maxConnections = mostConnections + TOLD
  const open = new Map<string, number>()
  let all = 0

  server.on('connection', (socket: Marked) => {
    const key = addressKey(socket.remoteAddress ?? '')
    const own = (open.get(key) ?? 0) + 1
    all += 1
    open.set(key, own)
    socket.once('close', () => {
      all -= 1
      const left = (open.get(key) ?? 1) - 1
      if (left > 0) open.set(key, left)
      else open.delete(key)
    })
    if (all > mostConnections || (mostPerAddress > 0 && own > mostPerAddress)) refuse(socket)
  })
}

function refuse(socket: Marked): void {
  socket[REFUSED] = true
  socket.end(TOO_MANY_CONNECTIONS)
  setTimeout(() => socket.destroy(), READ_MS).unref()
}

/**
 * The listener, but for requests of refused connections and for those beyond what one connection may have under way:
 * the first of these is answered 429 behind the answers that are owed before it, and closes the connection.
 */
export function limitPipelines(listener: Handler, mostUnderWay: number): Handler {
  return function limited(req: IncomingMessage, res: ServerResponse) {
    const socket: Marked = req.socket
    if (socket[REFUSED]) return
    const underWay = (socket[UNDER_WAY] ?? 0) + 1
    if (underWay > mostUnderWay) {
      socket[REFUSED] = true
      return void res.writeHead(429, [...TOO_MANY_AT_ONCE.headers]).end(TOO_MANY_AT_ONCE.body)
    }
    socket[UNDER_WAY] = underWay
    res.on('close', () => {
      socket[UNDER_WAY] = (socket[UNDER_WAY] ?? 1) - 1
    })
    listener(req, res)
  }
}
