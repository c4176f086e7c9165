/** The address of the A2A surface; the card's are in card-routes.ts. */
import type { Middleware } from '../../http/middleware.ts'
import { pathOf } from '../../http/request-target.ts'
import { A2A_PATH, a2aEndpoint, type EndpointDeps } from './endpoint.ts'

/**
 * The A2A surface as one middleware for `app.use`.
 *
 * Paths are looked up as they were sent: a trailing slash, another case or a doubled slash finds nothing.
 */
export function a2aRoutes(deps: EndpointDeps): Middleware {
  const endpoint = a2aEndpoint(deps)
  return function a2aRoutes(req, res, next) {
    if (pathOf(req) === A2A_PATH) endpoint(req, res)
    else next()
  }
}
