/** A guide as HTML. Raw HTML in Markdown is off: what looks like a tag is shown as text. */
import MarkdownIt, { type Token } from 'markdown-it'
import { type Html, html } from '../../../values/html.ts'
import { codeBlock, codeTabs } from '../code-block.ts'
import { joinTitledFences, tabsOf } from './code-tabs.ts'
import { headingIds } from './heading-id.ts'
import { highlight } from './highlight.ts'
import { describeCells } from './tables.ts'

export interface Section {
  readonly id: string
  readonly title: string
  readonly level: 2 | 3
}

export interface RenderedGuide {
  readonly body: Html
  readonly sections: readonly Section[]
}

/** Where a link of a guide leads on the site; null for a file that is not published. */
export type ResolveLink = (href: string) => string | null

export function renderGuide(
  markdown: string,
  resolve: ResolveLink,
  charts: ReadonlyMap<string, string> = new Map(),
): RenderedGuide {
  const parser = new MarkdownIt({ html: false })
  const tokens = joinTitledFences(parser.parse(markdown, {}))
  const sections = giveHeadingsIds(tokens)
  emptyHeadersToCells(tokens)
  describeCells(tokens)
  for (const { children } of tokens) rewriteLinks(children ?? [], resolve)

  const { rules } = parser.renderer
  let codes = 0
  let tables = 0
  rules.image = (all, at) => drawing(charts, all[at])
  rules.fence = (all, at) => renderFence(all[at], `Code ${++codes}`).markup
  rules.table_open = () =>
    html`<div class="table" tabindex="0" role="region" aria-label="Table ${++tables}"><table class="stacked">`
      .markup
  rules.table_close = () => '</table></div>\n'
  rules.heading_close = (all, at) => {
    const open = all[at - 2]
    const id = open?.attrGet('id') ?? ''
    return (
      html` <a class="anchor" href="#${id}" aria-label="Link to ${all[at - 1]?.content ?? ''}">#</a>`.markup +
      `</${open?.tag ?? 'h2'}>\n`
    )
  }

  const title = tokens.findIndex(({ type }) => type === 'heading_close')
  const markup = parser.renderer.render(tokens.slice(title + 1), parser.options, {})
  return { body: { markup }, sections }
}

function renderFence(fence: Token | undefined, label: string): Html {
  if (fence === undefined) return html``
  const language = fence.info.trim()
  const tabs = tabsOf(fence)
  if (tabs.length > 0)
    return codeTabs(
      label,
      tabs.map(({ title, language, code }) => ({ title, code: highlight(code, language) })),
    )
  return codeBlock(label, highlight(fence.content.replace(/\n$/, ''), language))
}

function giveHeadingsIds(tokens: readonly Token[]): readonly Section[] {
  const idFor = headingIds()
  return tokens.flatMap((token, at) => {
    if (token.type !== 'heading_open') return []
    const title = (tokens[at + 1]?.children ?? []).map(({ content }) => content).join('')
    const id = idFor(title)
    token.attrSet('id', id)
    const level = Number(token.tag.slice(1))
    return level === 2 || level === 3 ? [{ id, title, level }] : []
  })
}

/** A header without words is announced as one, so it becomes a cell. */
function emptyHeadersToCells(tokens: readonly Token[]): void {
  for (const [at, token] of tokens.entries()) {
    if (token.type !== 'th_open' || tokens[at + 1]?.content !== '') continue
    for (const each of [token, tokens[at + 2]]) if (each !== undefined) each.tag = 'td'
  }
}

/** The drawing as a part of the page, so its text has the page's font and its colours follow the page's scheme. */
function drawing(charts: ReadonlyMap<string, string>, image: Token | undefined): string {
  const name = String(image?.attrGet('src')).split('/').at(-1) ?? ''
  const svg = charts.get(name)
  if (svg === undefined) throw new Error(`there is no drawing ${name}`)
  return svg
    .replace(/<style>[\s\S]*?<\/style>\n/, '')
    .replace('<svg ', '<svg class="chart" ')
    .replace(/aria-label="[^"]*"/, html`aria-label="${image?.content ?? ''}"`.markup)
}

function rewriteLinks(inline: readonly Token[], resolve: ResolveLink): void {
  let hidden = false
  for (const token of inline) {
    if (token.type === 'link_open') {
      const target = resolve(String(token.attrGet('href') ?? ''))
      hidden = target === null
      token.hidden = hidden
      if (target !== null) token.attrSet('href', target)
    } else if (token.type === 'link_close') token.hidden = hidden
  }
}
