import type { SkillRegistry } from '../../catalog/skill.ts'
import { ERRORS } from '../../errors.ts'
import type { ProblemOptions } from '../../http/body/problem.ts'
import type { Handler, Middleware } from '../../http/middleware.ts'
import { pathOf } from '../../http/request-target.ts'
import { PATHS } from '../call/paths.ts'
import type { Executor, Executors } from '../call/skill-executor.ts'
import { endpointOf, LIST_SUFFIX } from './endpoints.ts'
import { type ListingOptions, listingHandler } from './listing.ts'
import { replySender, type SendReply } from './reply.ts'
import { type ValidateDeps, validateHandler } from './validate.ts'

export interface RestDeps extends Omit<ValidateDeps, 'baseUrl' | 'surface'> {
  readonly executors: Executors
  readonly skills: SkillRegistry
  readonly listing: ListingOptions
  readonly addRoutes?: (parts: RouteParts) => void
}

/** What the routes of single payments share with those of another scheme. */
export interface RouteParts {
  readonly handlers: Map<string, Handler>
  readonly offer: (path: string, executor: Executor, surface: ValidateDeps['surface']) => unknown
  readonly replies: { readonly single: SendReply }
}

function restHandlers(deps: RestDeps): ReadonlyMap<string, Handler> {
  const { skills, executors, sendProblem, addRoutes } = deps
  const { baseUrl } = deps.listing
  const replies = {
    single: replySender(baseUrl, sendProblem, 'single'),
    list: replySender(baseUrl, sendProblem, 'list'),
  }
  const handlers = new Map<string, Handler>([
    [PATHS.types, listingHandler(sendProblem, skills, deps.listing)],
  ])
  const offer = (path: string, executor: Executor, surface: ValidateDeps['surface'] = 'rest') =>
    handlers.set(
      path,
      validateHandler({ ...deps, baseUrl, surface }, path, executor, replies[executor.shape]),
    )
  for (const executor of executors.skills) {
    offer(endpointOf(executor.skill), executor)
    offer(`${endpointOf(executor.skill)}${LIST_SUFFIX}`, executor.list)
  }
  offer(PATHS.mixedList, executors.executeList)
  addRoutes?.({ handlers, offer, replies })
  return handlers
}

/** The path of a check or of its lists, with any word for the type. */
const TYPED_PATH = new RegExp(`^(${PATHS.validate}|${PATHS.overChannel})([^/]+?)(${LIST_SUFFIX})?$`)

/** Paths are compared byte for byte (see `pathOf`). Only the type may be in any case, or an alias. */
export function restRoutes(deps: RestDeps): Middleware {
  const { skills, sendProblem } = deps
  const handlers = restHandlers(deps)
  return function restRoutes(req, res, next) {
    const path = pathOf(req)
    const exact = handlers.get(path)
    if (exact !== undefined) return exact(req, res)
    const [typed, root, name = '', suffix = ''] = TYPED_PATH.exec(path) ?? []
    if (typed === undefined || !handlers.has(`${root}batch`)) return next()
    const skill = skills.resolve(name)
    const handler = skill && handlers.get(`${root}${skill.id}${suffix}`)
    if (handler !== undefined) handler(req, res)
    else if (skill !== undefined) next()
    else sendProblem(res, 'unknown_type', suggestion(skills, name))
  }
}

/** Names the type that was probably meant. Nothing of the path is repeated, since a value may be in it. */
function suggestion(skills: SkillRegistry, name: string): ProblemOptions {
  const near = skills.nearest(name)
  if (near === undefined) return {}
  return { members: { detail: `${ERRORS.unknown_type.detail} Did you mean "${near.id}"?` } }
}
