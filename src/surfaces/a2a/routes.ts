/** The addresses of the A2A surface. */
import type { Handler, Middleware } from '../../http/middleware.ts'
import type { SendProblem } from '../../http/problem.ts'
import { pathOf } from '../../http/request-target.ts'
import { staticDocument } from '../../http/static-document.ts'
import type { ServedCard } from './agent-card.ts'
import { A2A_PATH, a2aEndpoint, type EndpointDeps } from './endpoint.ts'

export interface A2aDeps extends Omit<EndpointDeps, 'card'> {
  readonly card: ServedCard
  readonly sendProblem: SendProblem
}

/** Where the card is looked for: by the specification since 0.3, and by clients older than that. */
export const CARD_PATHS = ['/.well-known/agent-card.json', '/.well-known/agent.json'] as const

/**
 * The A2A surface as one middleware for `app.use`.
 *
 * Paths are looked up as they were sent: a trailing slash, another case or a doubled slash finds nothing.
 */
export function a2aRoutes(deps: A2aDeps): Middleware {
  const handlers = new Map<string, Handler>([
    [A2A_PATH, a2aEndpoint({ ...deps, card: deps.card.card })],
    ...CARD_PATHS.map((route): [string, Handler] => [route, cardHandler(deps, route)]),
  ])
  return function a2aRoutes(req, res, next) {
    const handler = handlers.get(pathOf(req))
    if (handler === undefined) next()
    else handler(req, res)
  }
}

function cardHandler({ card, sendProblem }: A2aDeps, route: string): Handler {
  const serve = staticDocument(sendProblem, { route, body: card.body, contentType: 'application/json' })
  return function agentCard(req, res) {
    res.setHeader('Access-Control-Allow-Origin', '*')
    serve(req, res)
  }
}
