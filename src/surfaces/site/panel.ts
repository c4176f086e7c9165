/** The "try it" panel: a form that pays for one check from the browser. Without scripts it says what to do instead. */
import { type Html, html } from '../../http/body/html.ts'
import { exampleOf } from './examples.ts'
import { amountOf, restPath, type SiteFacts, shortTitle } from './facts.ts'

/** The members of the form have no names and it has no target: nothing typed here can get into an address. */
export function panel(facts: SiteFacts): Html {
  const { listing, skills, sandbox } = facts
  return html`<section class="panel" id="try" aria-labelledby="try-title" data-sandbox="${sandbox ? 'true' : 'false'}" data-amount="${highestAmount(facts)}">
<h2 id="try-title">Try it</h2>
<p class="panel-lead">One real paid check, from this page. ${
    sandbox
      ? 'The sandbox lends you a funded wallet.'
      : `Your wallet pays ${listing.price} in USDC on ${listing.networkName}.`
  }</p>
<p class="no-script">The panel needs JavaScript. <a href="#call">The command line below</a> does the same without.</p>
<form id="panel" hidden autocomplete="off">
<fieldset>
<legend>Type</legend>
<div class="chips">
${skills.all.map((skill, index) => typeChoice(facts, skill, index === 0))}
</div>
</fieldset>
<div class="field">
<label for="value">Value</label>
<input id="value" type="text" spellcheck="false" autocapitalize="none" autocomplete="off" aria-describedby="value-hint" required>
<p class="hint" id="value-hint">Take <button type="button" class="link" id="take-valid">a valid example</button> or <button type="button" class="link" id="take-invalid">an invalid one</button>. What you type goes into the body of one request, and nowhere else.</p>
</div>
<button type="submit" class="primary" id="ask">Show the terms</button>
</form>
<p class="progress" id="progress" role="status"></p>
<div id="outcome"></div>
</section>`
}

/** Atomic units above which the page signs nothing. */
const highestAmount = (facts: SiteFacts): string =>
  facts.skills.all.map((skill) => amountOf(facts, skill)).sort((a, b) => Number(BigInt(b) - BigInt(a)))[0] ??
  '0'

function typeChoice(facts: SiteFacts, skill: SiteFacts['skills']['all'][number], chosen: boolean): Html {
  const [valid, invalid] = [exampleOf(skill, true), exampleOf(skill, false)]
  return html`<label class="chip"><input type="radio" name="type" value="${skill.id}"${chosen && html` checked`} data-endpoint="${restPath(facts, skill)}" data-valid="${valid.input.value}" data-invalid="${invalid.input.value}"><span>${shortTitle(skill)}</span></label>`
}
