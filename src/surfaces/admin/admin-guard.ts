/**
 * A request must carry the token; without a token the port listens on loopback only. On loopback the Host must name
 * this machine: a web page that points its name at 127.0.0.1 (DNS rebinding) could read everything through the
 * operator's browser.
 */
import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { addHeaders, sendText } from '../../http/body/send.ts'
import type { Middleware } from '../../http/middleware.ts'
import { namesThisMachine } from '../../values/loopback.ts'

export interface AdminGuardOptions {
  /** Null only on loopback. */
  readonly token: string | null
  readonly loopback: boolean
}

export type AdminRefusal = 'foreign_host' | 'no_token' | 'wrong_token'

const CHALLENGE = 'Bearer realm="operator", Basic realm="operator", charset="UTF-8"'

/**
 * 403 for a foreign Host, 401 for no token or a wrong one. Guesses are not limited: the settings refuse a guessable
 * token.
 */
export function adminGuard(
  { token, loopback }: AdminGuardOptions,
  onRefused: (res: ServerResponse, why: AdminRefusal) => void = () => {},
): Middleware {
  if (token === null && !loopback) throw new Error('an admin port that others can reach needs a token')
  const expected = token === null ? null : digest(token)
  const refuse = (res: ServerResponse, why: AdminRefusal, status: number, text: string) => {
    onRefused(res, why)
    sendText(res, status, text)
  }
  return function adminGuard(req, res, next) {
    if (loopback && !namesThisMachine(req.headers.host))
      return refuse(res, 'foreign_host', 403, 'Forbidden: foreign Host.\n')
    if (expected === null) return next()
    if (timingSafeEqual(digest(tokenOf(req)), expected)) return next()
    // A browser asks without a token before it shows its dialogue.
    addHeaders(res, ['WWW-Authenticate', CHALLENGE])
    refuse(
      res,
      req.headers.authorization !== undefined ? 'wrong_token' : 'no_token',
      401,
      'Unauthorized: the admin token is needed.\n',
    )
  }
}

/** The bearer token (RFC 6750), or the password of a browser under any user name (RFC 7617). */
function tokenOf(req: IncomingMessage): string {
  const [, scheme = '', credentials = ''] =
    /^(bearer|basic) +(\S+)$/i.exec(req.headers.authorization ?? '') ?? []
  if (scheme.toLowerCase() === 'bearer') return credentials
  const pair = Buffer.from(credentials, 'base64').toString('utf8')
  return pair.slice(pair.indexOf(':') + 1)
}

const digest = (text: string) => createHash('sha256').update(text).digest()
