import { readFileSync } from 'node:fs'
import { setAccessLogFields } from '../../http/access-log-fields.ts'
import { compressedDocument } from '../../http/body/compressed-document.ts'
import type { SendProblem } from '../../http/body/problem.ts'
import type { StaticDocument } from '../../http/body/static-document.ts'
import type { Handler, Middleware } from '../../http/middleware.ts'
import { pathOf } from '../../http/request-target.ts'
import { PATHS } from '../call/paths.ts'
import { aiCatalog } from './catalogs/ai-catalog.ts'
import { apiCatalog } from './catalogs/api-catalog.ts'
import { serverCards } from './catalogs/server-card.ts'
import { x402Manifest } from './catalogs/x402-manifest.ts'
import type { DocumentContext } from './document-context.ts'
import { openApi } from './openapi/openapi.ts'
import { withOperatorFiles } from './operator-files.ts'
import { didDocument, keySet } from './published-keys.ts'
import { agentSkills } from './texts/agent-skills.ts'
import { type Guide, guideDocuments } from './texts/guides.ts'
import { llms } from './texts/llms.ts'
import { llmsFull } from './texts/llms-full.ts'
import { robots, sitemap } from './web/crawlers.ts'
import { securityTxt } from './web/security-txt.ts'

export interface DocumentDeps {
  readonly context: DocumentContext
  readonly guides: readonly Guide[]
  readonly pages: readonly string[]
  readonly operatorFiles: readonly StaticDocument[]
  readonly sendProblem: SendProblem
}

/** No two documents have the same route. */
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
    aiCatalog(context),
    securityTxt(context),
    robots(context),
    sitemap(context.baseUrl, [...pages, ...toRead.map(({ route }) => route).filter(isForReaders)]),
    ...icons(),
    ...context.packages.files.map(({ document }) => document),
  ]
}

const ICON = new URL('../../../agent-card/icon.svg', import.meta.url)

function icons(): readonly StaticDocument[] {
  const body = readFileSync(ICON, 'utf8')
  return [PATHS.icon, PATHS.favicon].map((route) => ({ route, body, contentType: 'image/svg+xml' }))
}

const isForReaders = (route: string): boolean => !route.endsWith('.json')

export function documentRoutes({ sendProblem, operatorFiles, ...parts }: DocumentDeps): Middleware {
  const documents = withOperatorFiles(buildDocuments(parts), operatorFiles)
  const handlers = new Map<string, Handler>(
    documents.map((document) => [document.route, compressedDocument(sendProblem, document)]),
  )
  return function documentRoutes(req, res, next) {
    const handler = handlers.get(pathOf(req))
    if (handler === undefined) return next()
    setAccessLogFields(res, { surface: 'documents' })
    handler(req, res)
  }
}
