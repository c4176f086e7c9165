/** A verdict that explains itself, for the top of the front page: an IBAN in its parts, and one that is refused. */
import { IBAN } from '../../checks/iban/profile.ts'
import { IBAN_REGISTRY } from '../../checks/iban/registry.ts'
import { type Html, html } from '../../values/html.ts'
import { exampleOf } from './examples.ts'
import type { PageContext } from './page-context.ts'

export const EXPLAINED_ASSET = 'explained.js'

/** The field has no name and is in no form, so what a visitor types is sent nowhere. */
export function explained({ skills, listing }: PageContext): Html {
  const iban = skills.get(IBAN.type)
  const refused = iban?.examples.find(({ output }) => output.details.hint === 'confusable_character')
  if (iban === undefined || refused === undefined) return html``
  const { input, output } = exampleOf(iban, true)
  const at = Number(refused.output.details.position)
  return html`<div class="explained" id="explained" data-banks="${banks()}">
<label for="own-iban">An IBAN <span class="hint">drawn on this page, sent nowhere</span></label>
<input id="own-iban" type="text" value="${input.value}" spellcheck="false" autocapitalize="none" autocomplete="off" translate="no">
<p class="parts" id="own-parts" translate="no">${input.value}</p>
<p id="own-words"><b class="valid">Valid.</b> ${output.reason} <span class="hint">${listing.price} for this verdict.</span></p>
<hr>
<p class="parts refused" translate="no">${refused.input.value.slice(0, at)}<mark>${refused.input.value[at]}</mark>${refused.input.value.slice(at + 1)}</p>
<p><b class="invalid">Not valid.</b> ${refused.output.reason} <b>Hint:</b> ${refused.title}.</p>
</div>`
}

/** For each country where bank and branch end, counted from the first character of the IBAN, e.g. "AD12DE12". */
const banks = (): string =>
  IBAN_REGISTRY.map(([code, , , bank, branch]) => {
    const ends = [bank, branch].map((range) => Number(range.split('-')[1] ?? 0))
    return `${code}${4 + Math.max(...ends)}`
  }).join('')
