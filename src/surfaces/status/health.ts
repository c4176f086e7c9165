import type { SendProblem } from '../../http/body/problem.ts'
import { sendJson } from '../../http/body/send.ts'
import type { Middleware } from '../../http/middleware.ts'
import { liveRoute } from './live-route.ts'

export interface HealthDeps {
  readonly sendProblem: SendProblem
  /** Store reachable, migrations done, not draining; not the facilitator. A rejection counts as not ready. */
  readonly ready: () => boolean | Promise<boolean>
}

/**
 * The two probes, for `app.use`: whether the process lives (`/healthz`), and whether it may be sent requests (`/readyz`).
 * They say one word and nothing about the inside.
 */
export function healthRoutes({ sendProblem, ready }: HealthDeps): Middleware {
  const probe = (path: string, isUp: HealthDeps['ready']) =>
    liveRoute({
      sendProblem,
      path,
      answer: async (res) => {
        const up = await Promise.resolve()
          .then(isUp)
          .catch(() => false)
        sendJson(res, { status: up ? 'ok' : 'unavailable' }, { status: up ? 200 : 503 })
      },
    })
  const live = probe('/healthz', () => true)
  const readiness = probe('/readyz', ready)
  return function health(req, res, next) {
    live(req, res, () => readiness(req, res, next))
  }
}
