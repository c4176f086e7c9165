import { ERRORS } from '../../errors.ts'
import type { ProblemOptions } from '../../http/body/problem.ts'
import type { Handler, Middleware } from '../../http/middleware.ts'
import { pathOf } from '../../http/request-target.ts'
import { CHANNEL_PATH } from '../../payments/channels/refunds/channel-quote.ts'
import type { Refund } from '../../payments/channels/refunds/refund-channel.ts'
import { listOrder, mixedOrder, type Order, singleOrder } from '../../payments/terms/orders.ts'
import type { QuoteBook } from '../../payments/terms/quotes.ts'
import type { SkillRegistry } from '../../skills/skill.ts'
import { channelHandler } from './channel.ts'
import { endpointOf, LIST_SUFFIX, MIXED_LIST_PATH, PAID_PREFIX } from './endpoints.ts'
import { LISTING_PATH, type ListingOptions, listingHandler } from './listing.ts'
import { saleReply } from './reply.ts'
import { type ValidateDeps, validateHandler } from './validate.ts'

export interface RestDeps extends Omit<ValidateDeps, 'baseUrl'> {
  readonly quote: QuoteBook
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
  const sold = (route: string, order: Order): [string, Handler] => [
    route,
    validateHandler(paid, route, order, order.shape === 'single' ? single : list),
  ]
  const { refund } = deps
  return new Map([
    ...(refund === undefined
      ? []
      : [[CHANNEL_PATH, channelHandler({ ...deps, refund }, single)] as [string, Handler]]),
    [LISTING_PATH, listingHandler(deps.sendProblem, deps.skills, deps.listing)],
    ...deps.skills.all.flatMap((skill) => [
      sold(endpointOf(skill), singleOrder(skill, 'rest', deps.quote)),
      sold(`${endpointOf(skill)}${LIST_SUFFIX}`, listOrder(skill, 'rest', deps.quote)),
    ]),
    sold(MIXED_LIST_PATH, mixedOrder(deps.skills, 'rest', deps.quote)),
  ])
}

/** The path of a check or of its lists, whatever type it names. */
const TYPED_PATH = new RegExp(`^${PAID_PREFIX}([^/]+?)(${LIST_SUFFIX})?$`)

/**
 * The REST surface as one middleware for `app.use`.
 *
 * Paths are compared byte for byte (see `pathOf`): a doubled slash or a percent-encoded letter finds nothing. Only the
 * type may be spelt as a person does, in any case or by an alias.
 */
export function restRoutes(deps: RestDeps): Middleware {
  const { skills, sendProblem } = deps
  const handlers = restHandlers(deps)
  return function restRoutes(req, res, next) {
    const path = pathOf(req)
    const [typed, name = '', suffix = ''] = TYPED_PATH.exec(path) ?? []
    const skill = typed === undefined ? undefined : skills.resolve(name)
    const handler = handlers.get(path) ?? (skill && handlers.get(`${endpointOf(skill)}${suffix}`))
    if (handler !== undefined) handler(req, res)
    else if (typed !== undefined) sendProblem(res, 'unknown_type', suggestion(skills, name))
    else next()
  }
}

/** Names the type nearest to one that does not exist; it repeats nothing of the path. */
function suggestion(skills: SkillRegistry, name: string): ProblemOptions {
  const near = skills.nearest(name)
  if (near === undefined) return {}
  return { members: { detail: `${ERRORS.unknown_type.detail} Did you mean "${near.id}"?` } }
}
