/** What the search looks through: one entry a paragraph or row of a table, in plain text, with its heading. */
import ASKED from './asked.json' with { type: 'json' }
import { type Guide, guidePath, guideTitle, plainText } from './guide.ts'
import { headingIds } from './heading-id.ts'

export interface SearchEntry {
  readonly path: string
  readonly page: string
  readonly section: string
  readonly text: string
  readonly asked?: string
}

export interface SearchedPage {
  readonly path: string
  readonly html: string
}

export const searchEntries = (
  guides: readonly Guide[],
  pages: readonly SearchedPage[] = [],
): readonly SearchEntry[] => withAsked([...guides.flatMap(entriesOf), ...pages.flatMap(entriesOfPage)])

/** The words stand with the first entry of their place. */
function withAsked(entries: readonly SearchEntry[]): readonly SearchEntry[] {
  const left = new Map(Object.entries(ASKED))
  return entries.map((entry) => {
    const asked = left.get(entry.path)
    left.delete(entry.path)
    return asked === undefined ? entry : { ...entry, asked }
  })
}

function entriesOf(guide: Guide): readonly SearchEntry[] {
  const idFor = headingIds()
  const page = guideTitle(guide)
  return sectionsOf(guide.markdown).flatMap(({ level, heading, lines }) => {
    const section = plainText(heading)
    const id = idFor(section)
    const path = level === 1 ? guidePath(guide) : `${guidePath(guide)}#${id}`
    return paragraphsOf(lines).map((text) => ({
      path,
      page,
      section: NAMED_ROW.exec(text)?.[1] ?? section,
      text,
    }))
  })
}

interface MarkdownSection {
  readonly level: number
  readonly heading: string
  readonly lines: string[]
}

/** Headings, each with the lines below it; code and table rules are left out. */
function sectionsOf(markdown: string): readonly MarkdownSection[] {
  const sections: MarkdownSection[] = []
  let inCode = false
  for (const line of markdown.split('\n')) {
    const [, marks = '', heading = ''] = /^(#{1,3}) (.+)$/.exec(line) ?? []
    if (line.startsWith('```')) inCode = !inCode
    else if (inCode || /^\|[-:|]+$/.test(line)) continue
    else if (heading !== '') sections.push({ level: marks.length, heading, lines: [] })
    else sections.at(-1)?.lines.push(line)
  }
  return sections
}

/** A row of a table that begins with a name in code, such as that of a setting or metric. */
const NAMED_ROW = /^([A-Z_]{3,}|[a-z]+(?:_[a-z]+)+): /

/** A section without text has one that is empty, so that its heading is found. */
function paragraphsOf(lines: readonly string[]): readonly string[] {
  const parts = lines
    .map((line) =>
      line.startsWith('|') ? `\n\n${line.replace(/^\| `([^`]+)` /, '$1: ').replaceAll('|', ' ')}\n\n` : line,
    )
    .join('\n')
    .split(/\n{2,}/)
    .map(plainText)
    .filter((text) => text !== '')
  return parts.length > 0 ? parts : ['']
}

/** Headings of our own markup; one without an id belongs to the last that has one. */
function entriesOfPage({ path, html }: SearchedPage): readonly SearchEntry[] {
  const main = /<main[\s\S]*<\/main>/.exec(html)?.[0] ?? ''
  const [, ...parts] = main.split(/(?=<h[1-3][ >])/)
  const page = textOf(/<h1[\s\S]*?<\/h1>/.exec(main)?.[0] ?? '')
  let fragment = ''
  return parts.flatMap((part) => {
    const [heading = ''] = part.split(/(?<=<\/h[1-3]>)/)
    const id = /^<h[1-3][^>]* id="([^"]+)"|href="#([^"]+)"/.exec(heading)
    if (id !== null) fragment = `#${id[1] ?? id[2]}`
    const texts = part
      .slice(heading.length)
      .split(/(?=<(?:p|li|tr|dt)[ >])/)
      .map(textOf)
      .filter((text) => text !== '')
    const section = textOf(heading)
    return (texts.length > 0 ? texts : ['']).map((text) => ({ path: path + fragment, page, section, text }))
  })
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }

const textOf = (markup: string): string =>
  markup
    .replaceAll(/<(?:script|style|pre|svg)\b[\s\S]*?<\/(?:script|style|pre|svg)>|<[^>]+>/g, ' ')
    .replaceAll(/&(\w+|#39);/g, (whole, name: string) => ENTITIES[name] ?? whole)
    .replaceAll(/\s+/g, ' ')
    .trim()
