import { PATHS } from '../../call/paths.ts'

export interface Guide {
  readonly name: string
  readonly reader: string
  readonly markdown: string
  readonly charts: ReadonlyMap<string, string>
}

/** True for the pages that reviewers follow a link to; navigation, site map and search leave them out. */
export const isEvidence = ({ name }: Guide): boolean => name.startsWith('evidence/')

export const docsPath = ({ name }: Guide): string => `/docs/${name}`

/** That of the errors is short: every problem's `type` names it. */
export const guidePath = (guide: Guide): string => (guide.name === 'errors' ? PATHS.errors : docsPath(guide))

/** The first heading; throws without a heading. */
export function guideTitle({ name, markdown }: Guide): string {
  const title = /^# (.+)$/m.exec(markdown)?.[1]
  if (title === undefined) throw new Error(`docs/${name}.md must begin with a heading of level 1`)
  return title.replaceAll('`', '')
}

/** The first sentence of the first paragraph, as plain text. */
export function guideSummary({ markdown }: Guide): string {
  const paragraph = markdown.split(/\n{2,}/).find((part) => /^[\w"*`[]/.test(part)) ?? ''
  const [sentence = ''] = plainText(paragraph).split(/(?<=\.)\s/)
  return sentence
}

/** Inline Markdown without its marks. */
export const plainText = (markdown: string): string =>
  markdown
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[*`]|(?<!\w)_|_(?!\w)/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
