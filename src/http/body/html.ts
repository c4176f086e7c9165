/** HTML written as template literals in which every inserted text is escaped. */
import { escapeMarkup } from './escape-markup.ts'

/** Markup that may stand in a page as it is. */
export interface Html {
  readonly markup: string
}

/** What may be inserted: text is escaped, markup is not, nothing and false leave no trace. */
export type Insert = string | number | false | undefined | Html | readonly Html[]

/** Builds markup; inserted text is safe inside elements and in quoted attributes. */
export function html(strings: TemplateStringsArray, ...inserts: readonly Insert[]): Html {
  const parts = strings.map((text, index) => (index === 0 ? text : `${render(inserts[index - 1])}${text}`))
  return { markup: parts.join('') }
}

function render(insert: Insert): string {
  if (insert === undefined || insert === false) return ''
  if (typeof insert === 'string' || typeof insert === 'number') return escapeMarkup(String(insert))
  if ('markup' in insert) return insert.markup
  return insert.map(({ markup }) => markup).join('')
}
