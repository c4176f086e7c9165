/** What the search in the documents looks through: one entry per section, in plain text. */
import { type Guide, guidePath, guideTitle, isEvidence, plainText } from './guide.ts'
import { headingIds } from './heading-id.ts'

export interface SearchEntry {
  /** Path with the section's fragment. */
  readonly path: string
  readonly page: string
  readonly section: string
  readonly text: string
}

export const searchEntries = (guides: readonly Guide[]): readonly SearchEntry[] =>
  guides.filter((guide) => !isEvidence(guide)).flatMap(entriesOf)

function entriesOf(guide: Guide): readonly SearchEntry[] {
  const idFor = headingIds()
  const page = guideTitle(guide)
  return sectionsOf(guide.markdown).map(({ level, heading, lines }) => {
    const section = plainText(heading)
    const id = idFor(section)
    const path = level === 1 ? guidePath(guide) : `${guidePath(guide)}#${id}`
    return { path, page, section, text: plainText(lines.join(' ').replaceAll('|', ' ')) }
  })
}

interface MarkdownSection {
  readonly level: number
  readonly heading: string
  readonly lines: string[]
}

/** Headings outside code, each with the lines below it; fences and table rules are left out. */
function sectionsOf(markdown: string): readonly MarkdownSection[] {
  const sections: MarkdownSection[] = []
  let inCode = false
  for (const line of markdown.split('\n')) {
    const [, marks = '', heading = ''] = /^(#{1,3}) (.+)$/.exec(line) ?? []
    if (line.startsWith('```')) inCode = !inCode
    else if (!inCode && heading !== '') sections.push({ level: marks.length, heading, lines: [] })
    else if (!/^\|[-:|]+$/.test(line)) sections.at(-1)?.lines.push(line)
  }
  return sections
}
