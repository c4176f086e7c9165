import { type Html, html } from '../../../../http/body/html.ts'
import { daysUpTo } from '../../../../ledger/utc-days.ts'
import type { Figures } from '../figures/figures.ts'
import { summarizePayers } from '../figures/payer-book.ts'
import type { ViewRange } from '../figures/view-range.ts'
import { plain } from '../numbers.ts'
import { shown, tile } from '../shown.ts'

/** New and returning payers of the range, of all checks and surfaces. */
export function payersSection({ payers, at }: Figures, range: ViewRange): Html {
  return shown(payers, (days) => {
    const [first = ''] = daysUpTo(at, range.days)
    const { fresh, returning, most } = summarizePayers(days, first)
    return html`<div class="tiles">${tile('New', plain(fresh), 'first sale in this time')}${tile('Returning', plain(returning), 'bought before, too')}</div>
<div class="scroll" tabindex="0" role="region" aria-label="Payers who bought most"><table><caption>Payers who bought most</caption><thead><tr><th scope="col">Payer</th><th scope="col">Sales</th><th scope="col">Since</th></tr></thead><tbody>${most.map(
      ({ payer, sales, since }) =>
        html`<tr><th scope="row"><code>${payer}</code></th><td>${plain(sales)}</td><td>${since}</td></tr>
`,
    )}</tbody></table></div>`
  })
}
