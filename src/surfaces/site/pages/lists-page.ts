/** `/lists`: a whole list checked in the browser under one payment. */

import { checkColumnsOf, HEADING_WORDS } from '../../../catalog/column-headings.ts'
import { MOST_ITEMS } from '../../../catalog/validate-list.ts'
import { groupDigits } from '../../../payments/networks/usdc.ts'
import { restPath } from '../../../payments/terms/rest-offer.ts'
import { type Html, html } from '../../../values/html.ts'
import { checkedThings } from '../checked-things.ts'
import type { Layout } from '../layout.ts'
import { type PageContext, paymentAttributes } from '../page-context.ts'
import { typeChoice } from '../panel.ts'

const MOST = groupDigits(MOST_ITEMS)

export function listsPage(context: PageContext, layout: Layout): string {
  const { listing, sandbox } = context
  return layout({
    title: `Check a list - ${listing.service}`,
    description: `Check ${checkedThings(context.skills)}, up to ${MOST} under one payment, ${listing.price} a value. The file is read in your browser.`,
    path: '/lists',
    assets: [
      'home.css',
      'reading.css',
      'lists.css',
      ...(sandbox ? ['sandbox-wallet.js', 'list-page.js'] : ['list-page.js']),
    ],
    main: html`<div class="wrap page wide">
<h1>Check a list</h1>
<p class="lead">Drop a workbook, CSV or text. You see the price before you sign: <strong>${listing.price} a value</strong>, up to ${MOST} under one payment. Filter and save the table you get.</p>
${form(context)}
<div id="results" aria-live="off"></div>
${facts(context)}
</div>`,
  })
}

/** The form has no target, so nothing of a list can get into an address. */
function form(context: PageContext): Html {
  const { skills } = context
  const [first] = skills.all
  return html`<section class="panel list-panel" id="check-list" aria-labelledby="list-title" data-words="${JSON.stringify(HEADING_WORDS)}" ${paymentAttributes(context)}>
<div class="list-form">
<h2 class="quiet" id="list-title">Your list</h2>
<p class="unscripted">The form needs JavaScript. <a href="/docs/cli#lists">The command line</a> checks lists without.</p>
<form id="list" class="scripted" inert autocomplete="off">
<div class="drop" id="drop">
<p class="drop-file"><label class="button secondary" for="file">Choose a file</label><input class="quiet" id="file" type="file" accept=".csv,.tsv,.txt,.xlsx,.xlsm,.ods,.jsonl,text/csv,text/plain,text/tab-separated-values"> <span>or drop it here: workbook (.xlsx, .ods), CSV or text</span></p>
<label for="values">or paste values, one a line, or rows of a spreadsheet</label>
<textarea id="values" rows="5" spellcheck="false" autocapitalize="none" autocomplete="off" aria-describedby="values-hint"></textarea>
</div>
<p class="chosen-file" id="chosen-file" hidden><span id="file-name"></span> <button type="button" class="link" id="remove-file">Remove</button></p>
<fieldset>
<legend>What the list holds</legend>
<div class="chips">
${skills.all.map((skill) => typeChoice(skill, skill === first, html`data-endpoint="${restPath(context, skill)}/batch" data-check="${JSON.stringify(checkColumnsOf(skill))}"`))}
</div>
</fieldset>
<div class="list-columns" id="columns" hidden></div>
</form>
</div>
<div class="reply">
<div class="cost scripted" id="cost">
<p class="summary" id="summary" role="status"></p>
<button type="submit" form="list" class="primary" id="ask" hidden>Pay</button>
<p class="hint" id="values-hint">The list is read in this page. Its values are sent once, in the body of the paid request; asking for the terms sends their number only.</p>
</div>
<p class="progress" id="progress" role="status" tabindex="-1"></p>
<div id="outcome"></div>
<div id="doubtful"></div>
</div>
</section>`
}

function facts({ listing }: PageContext): Html {
  return html`<section class="columns list-facts" aria-label="About lists">
<div><h2>What is charged</h2>
<ul class="ticks">
<li>Each different value once, ${listing.price}: valid or not valid</li>
<li>Empty rows and repeated values are free</li>
<li>For each ${MOST} values one signature, one transfer, one receipt</li>
</ul></div>
<div><h2>Longer lists, and lists in programs</h2>
<ul class="ticks">
<li><a href="/docs/cli#lists">The command line</a> checks lists of any length and goes on where it was interrupted</li>
<li><a href="/docs/lists">REST, A2A and MCP</a> take lists from any x402 client</li>
</ul></div>
</section>`
}
