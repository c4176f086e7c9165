/** The addresses of the REST surface. */
import type { Handler, Middleware } from '../../http/middleware.ts'
import { pathOf } from '../../http/request-target.ts'
import { CHANNEL_PATH } from '../../payments/channels/refunds/channel-quote.ts'
import type { Refund } from '../../payments/channels/refunds/refund-channel.ts'
import type { SkillRegistry } from '../../skills/skill.ts'
import { channelHandler } from './channel.ts'
import { endpointOf, LIST_SUFFIX, PAID_PREFIX } from './endpoints.ts'
import { LISTING_PATH, type ListingOptions, listingHandler } from './listing.ts'
import { listOrder, mixedOrder, type OrderQuotes, singleOrder } from './orders.ts'
import { saleReply } from './reply.ts'
import { type ValidateDeps, validateHandler } from './validate.ts'

export interface RestDeps extends Omit<ValidateDeps, 'baseUrl'>, OrderQuotes {
  readonly skills: SkillRegistry
  readonly listing: ListingOptions
  /** Refunds of payment channels; absent if channels are off. */
  readonly refund?: Refund
}

/** The handlers by exact path, for mounting anywhere, also straight on `node:http`. */
function restHandlers(deps: RestDeps): ReadonlyMap<string, Handler> {
  const { baseUrl } = deps.listing
  const paid = { ...deps, baseUrl }
  const single = saleReply(baseUrl, deps.sendProblem, 'single')
  const list = saleReply(baseUrl, deps.sendProblem, 'list')
  const lists = [...deps.skills.all.map((skill) => listOrder(skill, deps)), mixedOrder(deps.skills, deps)]
  const { refund } = deps
  return new Map([
    ...(refund === undefined
      ? []
      : [[CHANNEL_PATH, channelHandler({ ...deps, refund }, single)] as [string, Handler]]),
    [LISTING_PATH, listingHandler(deps.sendProblem, deps.skills, deps.listing)],
    ...deps.skills.all.map((skill): [string, Handler] => {
      const order = singleOrder(skill, deps)
      return [order.route, validateHandler(paid, order, single)]
    }),
    ...lists.map((order): [string, Handler] => [order.route, validateHandler(paid, order, list)]),
  ])
}

/**
 * The REST surface as one middleware for `app.use`.
 *
 * Paths are compared byte for byte (see `pathOf`): a doubled slash or a percent-encoded letter finds nothing. Only the
 * type may be spelt as a person does, in any case or by an alias.
 */
export function restRoutes(deps: RestDeps): Middleware {
  const handlers = restHandlers(deps)
  return function restRoutes(req, res, next) {
    const path = pathOf(req)
    const handler = handlers.get(path) ?? handlers.get(canonicalPath(deps.skills, path))
    if (handler !== undefined) handler(req, res)
    else if (namesType(path)) deps.sendProblem(res, 'unknown_type')
    else next()
  }
}

/** The path of a check or of its lists whose type is spelt in another case or by an alias; else the path itself. */
function canonicalPath(skills: SkillRegistry, path: string): string {
  if (!namesType(path)) return path
  const suffix = path.endsWith(LIST_SUFFIX) ? LIST_SUFFIX : ''
  const skill = skills.resolve(path.slice(PAID_PREFIX.length, path.length - suffix.length))
  return skill === undefined ? path : `${endpointOf(skill)}${suffix}`
}

/** Whether a path has the form of a check or of its lists, whatever type it names. */
function namesType(path: string): boolean {
  const check = path.endsWith(LIST_SUFFIX) ? path.slice(0, -LIST_SUFFIX.length) : path
  return isOneSegmentBelow(PAID_PREFIX, check)
}

function isOneSegmentBelow(parent: string, path: string): boolean {
  return path.startsWith(parent) && path.length > parent.length && !path.includes('/', parent.length)
}
