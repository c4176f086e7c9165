/**
 * A phone shows sections as headings to open. They are sent folded, because folding after the first paint moves the
 * page; wide screens and paper open them by style alone.
 */
import { type Html, html } from '../../values/html.ts'

/** So many characters take about six screens of a phone. */
const SIX_SCREENS = 5_500
/** A phone shows each cell of a table on lines of its own, which the cell does not fill. */
const OF_CELL = 25

/** A section below its heading, of which `id` is the address. */
export const foldedSection = (id: string, title: string, body: Html): Html =>
  html`<section aria-labelledby="${id}">
<details class="fold"><summary><h2 id="${id}">${title}</h2></summary>
${body}
</details>
</section>`

/** Folds what follows each heading of level 2, if the text takes more than six screens. */
export function foldLongText({ markup }: Html): Html {
  const cells = markup.split('<td').length - 1
  if (markup.replaceAll(/<[^>]*>/g, '').length + cells * OF_CELL < SIX_SCREENS) return { markup }
  const [before = '', ...sections] = markup.split(/(?=<h2[ >])/)
  return { markup: before + sections.map(folded).join('') }
}

/** The link to the heading stands below the summary, which may hold no link. */
const folded = (section: string): string =>
  section.replace(
    /^([\s\S]*?)( <a class="anchor"[\s\S]*?<\/a>)?<\/h2>([\s\S]*)$/,
    '<details class="fold"><summary>$1</h2></summary>$2$3</details>\n',
  )
