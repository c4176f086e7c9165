/** A guide under `docs/` as the service publishes it. */
export interface Guide {
  /** The file name without its suffix, e.g. "a2a"; the page is `/docs/a2a`. */
  readonly name: string
  /** Who the page is written for, e.g. "operators". */
  readonly reader: string
  /** Markdown with the live base URL filled in and without comments. */
  readonly markdown: string
}

export const guidePath = ({ name }: Pick<Guide, 'name'>): string => `/docs/${name}`

/** The first heading. */
export function guideTitle({ name, markdown }: Guide): string {
  const title = /^# (.+)$/m.exec(markdown)?.[1]
  if (title === undefined) throw new Error(`docs/${name}.md must begin with a heading of level 1`)
  return title.replaceAll('`', '')
}

/** The first paragraph as plain text, cut at a sentence where it is long. */
export function guideSummary({ markdown }: Guide): string {
  const paragraph = markdown.split(/\n{2,}/).find((part) => /^[\w"*`[]/.test(part)) ?? ''
  const text = plainText(paragraph)
  const sentences = text.match(/[^.]+(?:\.(?!\s)[^.]*)*(?:\.|$)/g) ?? [text]
  return (sentences[0] ?? text).trim()
}

/** Inline Markdown without its marks. */
export const plainText = (markdown: string): string =>
  markdown
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/[*`]|(?<!\w)_|_(?!\w)/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
