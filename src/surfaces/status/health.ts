/** Whether the process lives (`/healthz`) and whether it may be sent requests (`/readyz`). */
import type { ServerResponse } from 'node:http'
import { setAccessLogFields } from '../../http/access-log-fields.ts'
import type { SendProblem } from '../../http/body/problem.ts'
import { methodNotAllowed } from '../../http/method-not-allowed.ts'
import type { Handler, Middleware } from '../../http/middleware.ts'
import { pathOf } from '../../http/request-target.ts'

export interface HealthDeps {
  readonly sendProblem: SendProblem
  /** Store reachable, migrations done, not draining; not the facilitator. A rejection counts as not ready. */
  readonly ready: () => boolean | Promise<boolean>
}

/** The two probes, for `app.use`; they say a word and nothing about the inside. */
export function healthRoutes(deps: HealthDeps): Middleware {
  const handlers = new Map<string, Handler>([
    ['/healthz', probe('/healthz', () => true)],
    ['/readyz', probe('/readyz', deps.ready)],
  ])
  const refuse = methodNotAllowed(deps.sendProblem, ['GET', 'HEAD'])

  return function health(req, res, next) {
    const handler = handlers.get(pathOf(req))
    if (handler === undefined) next()
    else if (req.method === 'GET' || req.method === 'HEAD') handler(req, res)
    else refuse(req, res)
  }
}

function probe(route: string, isUp: () => boolean | Promise<boolean>): Handler {
  return function probe(_req, res) {
    setAccessLogFields(res, { route, surface: 'ops' })
    Promise.resolve()
      .then(isUp)
      .then(
        (up) => say(res, up),
        () => say(res, false),
      )
  }
}

function say(res: ServerResponse, up: boolean): void {
  const body = JSON.stringify({ status: up ? 'ok' : 'unavailable' })
  const headers = { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' }
  res.writeHead(up ? 200 : 503, { ...headers, 'Content-Length': Buffer.byteLength(body) }).end(body)
}
