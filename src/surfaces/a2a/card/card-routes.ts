import { A2A_VERSION_HEADER } from '@a2a-js/sdk'
import { setAccessLogFields } from '../../../http/access-log-fields.ts'
import { compressedDocument } from '../../../http/body/compressed-document.ts'
import type { SendProblem } from '../../../http/body/problem.ts'
import { addHeaders } from '../../../http/body/send.ts'
import type { Middleware } from '../../../http/middleware.ts'
import { pathOf } from '../../../http/request-target.ts'
import { PATHS } from '../../call/paths.ts'
import type { ServedCard } from './agent-card.ts'

/** The path of the specification since 0.3, that of older clients, and the first below the endpoint, where some append it. */
export const CARD_PATHS = [PATHS.agentCard, PATHS.agentCardOfOld, PATHS.agentCardAtEndpoint] as const

/**
 * A client that names version 1.0 gets the card of that version, any other the one for both. No shared cache keeps the first:
 * some ignore `Vary`.
 */
export function cardRoutes({ body, wide }: ServedCard, sendProblem: SendProblem): Middleware {
  const form = { contentType: 'application/json' }
  const handlers = new Map<string, (isVersion1: boolean) => Middleware>(
    CARD_PATHS.map((route) => {
      const forBoth = compressedDocument(sendProblem, { ...form, route, body: wide })
      const version1 = compressedDocument(sendProblem, { ...form, route, body, isPrivate: true })
      return [route, (isVersion1) => (isVersion1 ? version1 : forBoth)]
    }),
  )
  return function cardRoutes(req, res, next) {
    const handler = handlers.get(pathOf(req))
    if (handler === undefined) return next()
    setAccessLogFields(res, { surface: 'a2a' })
    addHeaders(res, ['Vary', A2A_VERSION_HEADER])
    const version = req.headers[A2A_VERSION_HEADER.toLowerCase()]
    handler(/^1\.0(?:\.|$)/.test(String(version ?? '').trim()))(req, res, next)
  }
}
