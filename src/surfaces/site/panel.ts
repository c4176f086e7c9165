/** The "Try it" panel: recorded answers for examples, and a real paid check from the browser. */

import type { Skill } from '../../catalog/skill.ts'
import { restPath } from '../../payments/terms/rest-offer.ts'
import { type Html, html } from '../../values/html.ts'
import { exampleOf } from './examples.ts'
import { type PageContext, paymentAttributes, shortTitle } from './page-context.ts'

export const EXAMPLES_ASSET = 'examples.json'

/** The fields have no names and the form has no target, so nothing that is typed can get into an address. */
export function panel(context: PageContext, examplesPath: string): Html {
  const { listing, skills, mark } = context
  const [first] = skills.all
  return html`<section class="wrap" id="try" aria-labelledby="try-title" ${paymentAttributes(context)} data-examples="${examplesPath}" data-facts="${JSON.stringify(factNames(context))}">
<h2 id="try-title">Try it</h2>
<div class="panel">
<div class="question">
<p class="unscripted">The panel needs JavaScript. <a href="#call">The command line below</a> does the same without.</p>
<form id="panel" class="scripted" inert autocomplete="off">
<fieldset>
<legend>Check</legend>
<div class="chips">
${skills.all.map((skill) => typeChoice(skill, skill === first, html`data-endpoint="${restPath(context, skill)}"`))}
</div>
</fieldset>
<div class="field"><label for="example">Example</label><select id="example"></select></div>
<div class="field">
<label for="value">Value</label>
<input id="value" type="text" value="${exampleOf(first, true).input.value}" spellcheck="false" autocapitalize="none" autocomplete="off" aria-describedby="value-hint" required>
<p class="hint" id="value-hint">Examples are recorded and free. A value of your own costs ${listing.price}${mark === null ? '' : ' of test money'}; only the two requests of the purchase carry it.</p>
</div>
<button type="submit" class="primary" id="ask">See the price</button>
<p class="hint">Many values? <a href="/lists">Check a list</a>.</p>
</form>
</div>
<div class="reply">
<p class="progress" id="progress" role="status" tabindex="-1"></p>
<div id="outcome"></div>
<div id="doubtful"></div>
</div>
</div>
</section>`
}

/** What people call a member of `details`, of those whose name says it badly. */
const factNames = ({ skills }: PageContext): Readonly<Record<string, string>> =>
  Object.fromEntries(
    skills.all.flatMap(({ facts }) =>
      Object.entries(facts).flatMap(([name, { title }]) => (title === undefined ? [] : [[name, title]])),
    ),
  )

/** Every example with its answer, which the panel shows without a payment. */
export const examplesJson = ({ skills }: PageContext): string =>
  JSON.stringify(
    Object.fromEntries(
      skills.all.map(({ id, examples }) => [
        id,
        examples.map(({ title, input, output }) => ({ title, value: input.value, output })),
      ]),
    ),
  )

/** A check to choose; scripts read its `attributes`. */
export const typeChoice = (skill: Skill, chosen: boolean, attributes: Html): Html =>
  html`<label class="chip"><input type="radio" name="type" value="${skill.id}"${chosen && html` checked`} ${attributes}><span>${shortTitle(skill)}</span></label>`
