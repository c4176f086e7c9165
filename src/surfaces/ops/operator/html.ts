import { escapeMarkup } from '../../../http/escape-markup.ts'

/** Markup that may stand in a page as it is. */
export class Html {
  readonly markup: string
  constructor(markup: string) {
    this.markup = markup
  }
}

type Part = Html | string | number | readonly Html[]

/** A template whose holes are escaped, unless they are markup already. */
export const html = (strings: TemplateStringsArray, ...parts: readonly Part[]): Html =>
  new Html(String.raw({ raw: strings }, ...parts.map(toMarkup)))

function toMarkup(part: Part): string {
  if (part instanceof Html) return part.markup
  if (typeof part === 'object') return part.map(({ markup }) => markup).join('')
  return escapeMarkup(String(part))
}
