import type { SkillRegistry } from '../../catalog/skill.ts'
import { ERRORS } from '../../errors.ts'
import type { ProblemOptions } from '../../http/body/problem.ts'
import type { Handler, Middleware } from '../../http/middleware.ts'
import { pathOf } from '../../http/request-target.ts'
import type { Refund } from '../../payments/channels/refunds/refund-channel.ts'
import { listOrder, mixedOrder, type Order, singleOrder } from '../../payments/terms/orders.ts'
import type { QuoteBook } from '../../payments/terms/quotes.ts'
import { PATHS } from '../call/paths.ts'
import { channelHandler } from './channel.ts'
import { endpointOf, LIST_SUFFIX } from './endpoints.ts'
import { type ListingOptions, listingHandler } from './listing.ts'
import { replySender } from './reply.ts'
import { type ValidateDeps, validateHandler } from './validate.ts'

export interface RestDeps extends Omit<ValidateDeps, 'baseUrl'> {
  readonly quote: QuoteBook
  readonly skills: SkillRegistry
  readonly listing: ListingOptions
  /** Absent if payment channels are off. */
  readonly refund?: Refund
}

/** By exact path. */
function restHandlers(deps: RestDeps): ReadonlyMap<string, Handler> {
  const { skills, quote, refund, sendProblem } = deps
  const { baseUrl } = deps.listing
  const paid = { ...deps, baseUrl }
  const replies = {
    single: replySender(baseUrl, sendProblem, 'single'),
    list: replySender(baseUrl, sendProblem, 'list'),
  }
  const handlers = new Map<string, Handler>([
    [PATHS.types, listingHandler(sendProblem, skills, deps.listing)],
  ])
  const offer = (path: string, order: Order) =>
    handlers.set(path, validateHandler(paid, path, order, replies[order.shape]))
  for (const skill of skills.all) {
    offer(endpointOf(skill), singleOrder(skill, 'rest', quote))
    offer(`${endpointOf(skill)}${LIST_SUFFIX}`, listOrder(skill, 'rest', quote))
  }
  offer(PATHS.mixedList, mixedOrder(skills, 'rest', quote))
  if (refund !== undefined) handlers.set(PATHS.channel, channelHandler({ ...deps, refund }, replies.single))
  return handlers
}

/** The path of a check or of its lists, with any word for the type. */
const TYPED_PATH = new RegExp(`^${PATHS.validate}([^/]+?)(${LIST_SUFFIX})?$`)

/**
 * Paths are compared byte for byte (see `pathOf`): a doubled slash or a percent-encoded letter finds nothing. Only the type
 * may be in any case, or an alias.
 */
export function restRoutes(deps: RestDeps): Middleware {
  const { skills, sendProblem } = deps
  const handlers = restHandlers(deps)
  return function restRoutes(req, res, next) {
    const path = pathOf(req)
    const exact = handlers.get(path)
    if (exact !== undefined) return exact(req, res)
    const [typed, name = '', suffix = ''] = TYPED_PATH.exec(path) ?? []
    if (typed === undefined) return next()
    const skill = skills.resolve(name)
    const handler = skill && handlers.get(`${endpointOf(skill)}${suffix}`)
    if (handler !== undefined) handler(req, res)
    else sendProblem(res, 'unknown_type', suggestion(skills, name))
  }
}

/** Names the type that was probably meant. Nothing of the path is repeated, since a value may be in it. */
function suggestion(skills: SkillRegistry, name: string): ProblemOptions {
  const near = skills.nearest(name)
  if (near === undefined) return {}
  return { members: { detail: `${ERRORS.unknown_type.detail} Did you mean "${near.id}"?` } }
}
