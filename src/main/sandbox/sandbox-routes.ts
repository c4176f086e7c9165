import { setAccessLogFields } from '../../http/access-log-fields.ts'
import type { Middleware } from '../../http/middleware.ts'
import { pathOf } from '../../http/request-target.ts'
import type { Sandbox } from '../../sandbox/sandbox.ts'
import { namesThisMachine } from '../../values/loopback.ts'
import { sendToThisMachine } from './loopback-only.ts'

const SANDBOX_PATH = '/sandbox.json'

/**
 * What a client needs to pay in the sandbox: the buyer's throw-away key, the chain, the facilitator. Pages of other
 * origins cannot read it, and a foreign Host gets 404.
 */
export function sandboxRoutes({ chainId, rpcUrl, facilitatorUrl, token, payTo, buyer }: Sandbox): Middleware {
  return (req, res, next) => {
    if (pathOf(req) !== SANDBOX_PATH || req.method !== 'GET' || !namesThisMachine(req.headers.host))
      return next()
    setAccessLogFields(res, { route: SANDBOX_PATH, surface: 'ops' })
    sendToThisMachine(res, { chainId, rpcUrl, facilitatorUrl, token, payTo, buyer })
  }
}
