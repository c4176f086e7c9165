/** The published documents, joined; every one is made once, at startup, from the same context. */
import { setAccessLogFields } from '../../http/access-log-fields.ts'
import type { SendProblem } from '../../http/body/problem.ts'
import { type StaticDocument, staticDocument } from '../../http/body/static-document.ts'
import type { Handler, Middleware } from '../../http/middleware.ts'
import { pathOf } from '../../http/request-target.ts'
import { agentRegistration } from './agent-registration.ts'
import { agentSkills } from './agent-skills.ts'
import { aiCatalog } from './ai-catalog.ts'
import { apiCatalog } from './api-catalog.ts'
import { apisJson } from './apis-json.ts'
import { didDocument } from './did-document.ts'
import type { DocumentContext } from './document-context.ts'
import { type Guide, guideDocuments } from './guides.ts'
import { icons } from './icon.ts'
import { keySet } from './key-set.ts'
import { llms } from './llms.ts'
import { llmsFull } from './llms-full.ts'
import { openApi } from './openapi/openapi.ts'
import { withOperatorFiles } from './operator-files.ts'
import { ownFacilitator } from './own-facilitator.ts'
import { robots } from './robots.ts'
import { securityTxt } from './security-txt.ts'
import { serverCards } from './server-card.ts'
import { sitemap } from './sitemap.ts'
import { x402Manifest } from './x402-manifest.ts'

export interface DocumentDeps {
  readonly context: DocumentContext
  readonly guides: readonly Guide[]
  /** Paths of the pages for people, which only the site map names. */
  readonly pages: readonly string[]
  /** Files of the operator under `/.well-known/`. */
  readonly operatorFiles: readonly StaticDocument[]
  readonly sendProblem: SendProblem
}

/** Every document there is; no two have the same route. */
function buildDocuments({
  context,
  guides,
  pages,
}: Omit<DocumentDeps, 'sendProblem' | 'operatorFiles'>): readonly StaticDocument[] {
  const toRead = [llms(context), llmsFull(context), ...agentSkills(context)]
  return [
    ...toRead,
    ...guideDocuments(guides),
    openApi(context),
    x402Manifest(context),
    ...serverCards(context),
    keySet(context),
    didDocument(context),
    apiCatalog(context),
    apisJson(context),
    aiCatalog(context),
    agentRegistration(context),
    securityTxt(context),
    ...ownFacilitator(context),
    robots(context),
    sitemap(context.baseUrl, [...pages, ...toRead.map(({ route }) => route).filter(isForReaders)]),
    ...icons(),
  ]
}

/** False for what only programs read. */
const isForReaders = (route: string): boolean => !route.endsWith('.json')

/**
 * The documents as one middleware for `app.use`.
 *
 * Paths are compared as sent: another case or a doubled slash finds nothing.
 */
export function documentRoutes({ sendProblem, operatorFiles, ...parts }: DocumentDeps): Middleware {
  const documents = withOperatorFiles(buildDocuments(parts), operatorFiles)
  const handlers = new Map<string, Handler>(
    documents.map((document) => [document.route, staticDocument(sendProblem, document)]),
  )
  return function documentRoutes(req, res, next) {
    const handler = handlers.get(pathOf(req))
    if (handler === undefined) return next()
    setAccessLogFields(res, { surface: 'documents' })
    handler(req, res)
  }
}
