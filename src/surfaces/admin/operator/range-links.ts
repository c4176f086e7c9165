import { type Html, html } from '../../../http/body/html.ts'
import type { Figures } from './figures/figures.ts'
import { DAY_CHOICES, queryOf, type ViewRange } from './figures/view-range.ts'

/** Links to the other ranges; types and surfaces are those the books know. */
export function rangeLinks(figures: Figures, range: ViewRange): Html {
  const known = (name: 'checkType' | 'surface') => {
    const cells = figures.revenue.kind === 'read' ? figures.revenue.value : []
    return [...new Set(cells.map((cell) => cell[name]))].toSorted()
  }
  const choice = (words: string, target: ViewRange, chosen: boolean): Html =>
    html`<a href="${queryOf(target)}"${chosen && html` aria-current="true"`}>${words}</a>`
  return html`<nav class="ranges" aria-label="Range and filters">
<p><span>Time</span> ${DAY_CHOICES.map((days) => choice(days === 1 ? 'Today' : `${days} days`, { ...range, days }, range.days === days))}</p>
<p><span>Check</span> ${choice('All', { ...range, type: null }, range.type === null)}${known('checkType').map((type) => choice(type, { ...range, type }, range.type === type))}</p>
<p><span>Surface</span> ${choice('All', { ...range, surface: null }, range.surface === null)}${known('surface').map((surface) => choice(surface, { ...range, surface }, range.surface === surface))}</p>
</nav>`
}
