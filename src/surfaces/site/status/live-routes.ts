import type { ServerResponse } from 'node:http'
import { setAccessLogFields } from '../../../http/access-log-fields.ts'
import type { SendProblem } from '../../../http/body/problem.ts'
import { sendJson } from '../../../http/body/send.ts'
import { methodNotAllowed } from '../../../http/method-not-allowed.ts'
import type { Middleware } from '../../../http/middleware.ts'
import { pathOf } from '../../../http/request-target.ts'
import { PATHS } from '../../call/paths.ts'
import type { Status } from './status.ts'

export interface LiveDeps {
  readonly sendProblem: SendProblem
  /** True if the store answers, is migrated, and the process is not shutting down. A rejection counts as not ready. */
  readonly ready: () => boolean | Promise<boolean>
  readonly status: () => Promise<Status>
}

/**
 * Answers the probes of an orchestrator (`/healthz`: the process lives; `/readyz`: it may be sent requests) and the status
 * as JSON.
 */
export function liveRoutes({ sendProblem, ready, status }: LiveDeps): Middleware {
  const isReady = async () => ready()
  const answers = new Map<string, (res: ServerResponse) => Promise<void>>([
    [PATHS.health, async (res) => sendHealth(res, true)],
    [PATHS.ready, async (res) => sendHealth(res, await isReady().catch(() => false))],
    [PATHS.statusJson, async (res) => sendJson(res, await status())],
  ])
  const refuse = methodNotAllowed(sendProblem, ['GET', 'HEAD'])
  return function liveRoutes(req, res, next) {
    const path = pathOf(req)
    const answer = answers.get(path)
    if (answer === undefined) return next()
    setAccessLogFields(res, { route: path, surface: 'ops' })
    if (req.method !== 'GET' && req.method !== 'HEAD') return refuse(req, res)
    answer(res).catch(next)
  }
}

const sendHealth = (res: ServerResponse, isUp: boolean): void =>
  sendJson(res, { status: isUp ? 'ok' : 'unavailable' }, { status: isUp ? 200 : 503 })
