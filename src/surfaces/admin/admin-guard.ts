/**
 * Guards the admin port: a request must carry the token, or without one come from this machine.
 *
 * On loopback the Host must be this machine's own name: otherwise a web page that points its name at 127.0.0.1 could
 * read everything through the operator's browser.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { Middleware } from '../../http/middleware.ts'

export interface AdminGuardOptions {
  /** Null only on loopback. */
  readonly token: string | null
  /** True when the port listens on loopback. */
  readonly loopback: boolean
}

const LOOPBACK_NAMES = new Set(['127.0.0.1', 'localhost', '[::1]'])

/** Lets a request pass, or ends it with 403 (foreign Host) or 401 (no token, or another). */
export function adminGuard({ token, loopback }: AdminGuardOptions): Middleware {
  if (token === null && !loopback) throw new Error('an admin port that others can reach needs a token')
  const expected = token === null ? null : digest(token)
  return function adminGuard(req, res, next) {
    if (loopback && !LOOPBACK_NAMES.has(hostNameOf(req))) {
      res.writeHead(403, { 'Content-Type': 'text/plain; charset=utf-8' }).end('Forbidden: foreign Host.\n')
    } else if (expected === null || timingSafeEqual(digest(tokenOf(req)), expected)) {
      next()
    } else {
      const challenge = 'Bearer realm="operator", Basic realm="operator", charset="UTF-8"'
      res
        .writeHead(401, { 'Content-Type': 'text/plain; charset=utf-8', 'WWW-Authenticate': challenge })
        .end('Unauthorized: the admin token is needed.\n')
    }
  }
}

const hostNameOf = (req: IncomingMessage) => URL.parse(`http://${req.headers.host ?? ''}`)?.hostname ?? ''

/** The bearer token (RFC 6750), or the password a browser was given (RFC 7617), under any user name. */
function tokenOf(req: IncomingMessage): string {
  const [, scheme = '', credentials = ''] =
    /^(bearer|basic) +(\S+)$/i.exec(req.headers.authorization ?? '') ?? []
  if (scheme.toLowerCase() === 'bearer') return credentials
  const pair = Buffer.from(credentials, 'base64').toString('utf8')
  return pair.slice(pair.indexOf(':') + 1)
}

const digest = (text: string) => createHash('sha256').update(text).digest()
