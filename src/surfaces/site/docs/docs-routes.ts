import { compressedDocument } from '../../../http/body/compressed-document.ts'
import type { SendProblem } from '../../../http/body/problem.ts'
import type { Middleware } from '../../../http/middleware.ts'
import { PATHS } from '../../call/paths.ts'
import type { Layout } from '../layout.ts'
import { negotiated } from '../negotiate.ts'
import type { PageContext } from '../page-context.ts'
import { fixedPage, markdownForm, PAGE_AGE, redirectTo } from '../page-handler.ts'
import { whenAsked } from '../when-asked.ts'
import { docsHome } from './docs-home.ts'
import { type Guide, guidePath, isEvidence } from './guide.ts'
import { searchEntries } from './search-index.ts'

const SEARCH_PATH = PATHS.search

export interface DocsDeps {
  readonly context: PageContext
  readonly guides: readonly Guide[]
  readonly layout: Layout
  readonly sendProblem: SendProblem
  /** The other pages that the search finds, rendered at its first use. */
  readonly pages: ReadonlyMap<string, () => string>
}

export const docsPaths = (guides: readonly Guide[]): readonly string[] => [
  PATHS.docs,
  ...guides.filter((guide) => !isEvidence(guide)).map(guidePath),
]

export function docsRoutes({
  context,
  guides,
  layout,
  sendProblem,
  pages,
}: DocsDeps): ReadonlyMap<string, Middleware> {
  const search = () => {
    const entries = searchEntries(
      guides,
      [...pages].map(([path, render]) => ({ path, html: render() })),
    )
    return compressedDocument(sendProblem, {
      route: SEARCH_PATH,
      body: JSON.stringify(entries),
      contentType: 'application/json; charset=utf-8',
      maxAge: PAGE_AGE,
    })
  }
  const page = async (guide: Guide) => {
    const { docsPage } = await import('./docs-page.ts')
    const route = guidePath(guide)
    const html = fixedPage(sendProblem, route, docsPage(context, guide, guides, layout))
    return negotiated(html, markdownForm(sendProblem, route, guide.markdown))
  }
  const evidence = guides.filter(isEvidence).map(({ name }) => [name.replace(/^.*\//, ''), name] as const)
  return new Map([
    [PATHS.docs, whenAsked(() => fixedPage(sendProblem, PATHS.docs, docsHome(context, guides, layout)))],
    ...guides.map((guide): [string, Middleware] => [guidePath(guide), whenAsked(() => page(guide))]),
    ...evidence.flatMap(([old, now]): [string, Middleware][] => [
      [`/docs/${old}`, redirectTo(`/docs/${now}`)],
      [`/docs/${old}.md`, redirectTo(`/docs/${now.replace(/#.*/, '')}.md`)],
    ]),
    [SEARCH_PATH, whenAsked(search)],
  ])
}
