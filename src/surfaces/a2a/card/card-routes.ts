import { setAccessLogFields } from '../../../http/access-log-fields.ts'
import type { SendProblem } from '../../../http/body/problem.ts'
import { staticDocument } from '../../../http/body/static-document.ts'
import type { Handler, Middleware } from '../../../http/middleware.ts'
import { pathOf } from '../../../http/request-target.ts'
import { PATHS } from '../../call/paths.ts'
import type { ServedCard } from './agent-card.ts'

/** The path of the specification since 0.3, and that of older clients. */
export const CARD_PATHS = [PATHS.agentCard, PATHS.agentCardOfOld] as const

export function cardRoutes({ body }: ServedCard, sendProblem: SendProblem): Middleware {
  const handlers = new Map<string, Handler>(
    CARD_PATHS.map((route) => [
      route,
      staticDocument(sendProblem, { route, body, contentType: 'application/json' }),
    ]),
  )
  return function cardRoutes(req, res, next) {
    const handler = handlers.get(pathOf(req))
    if (handler === undefined) return next()
    setAccessLogFields(res, { surface: 'a2a' })
    handler(req, res)
  }
}
