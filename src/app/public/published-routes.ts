import type { SendProblem } from '../../http/body/problem.ts'
import type { Middleware } from '../../http/middleware.ts'
import { documentRoutes } from '../../surfaces/documents/documents.ts'
import { readOperatorFiles } from '../../surfaces/documents/operator-files.ts'
import { onPacked } from '../../surfaces/documents/packages.ts'
import { llms } from '../../surfaces/documents/texts/llms.ts'
import { descriptionLinks } from '../../surfaces/documents/web/link-header.ts'
import { buildSite, type SiteDeps, sitePaths } from '../../surfaces/site/routes.ts'
import type { AppOptions } from '../options.ts'
import { type Published, publishPackages } from './publish.ts'

interface PublishedDeps {
  readonly status: SiteDeps['status']
  readonly sendProblem: SendProblem
}

/** The documents and the pages. They name the packages, so they are made again after `npm run pack`. */
export function publishedRoutes(options: AppOptions, published: Published, deps: PublishedDeps) {
  const operatorFiles = readOperatorFiles(options.operator)
  const make = ({ context, guides }: Published) => {
    const site = buildSite({
      ...{ context, guides, ...deps },
      markdown: llms(context).body.toString(),
      links: descriptionLinks(options.baseUrl),
    })
    const pages = sitePaths(context, guides)
    return { documents: documentRoutes({ context, guides, pages, operatorFiles, ...deps }), site }
  }
  let made = make(published)
  const documents: Middleware = (req, res, next) => made.documents(req, res, next)
  const pages: Middleware = (req, res, next) => made.site.routes(req, res, next)
  const notFound: Middleware = (req, res, next) => made.site.notFound(req, res, next)
  const close = onPacked(() => {
    made = make(publishPackages(options, published))
  })
  return { documents, pages, notFound, close }
}
