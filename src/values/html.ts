export interface Html {
  readonly markup: string
}

/** A value in a template: text is escaped, markup is not, undefined and false are left out. */
export type Insert = string | number | false | undefined | Html | readonly Html[]

/** Inserted text is safe inside elements and in quoted attributes. */
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

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export const escapeMarkup = (text: string): string => text.replace(/[&<>"']/g, (sign) => ENTITIES[sign] ?? '')
