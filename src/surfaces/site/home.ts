/** The front page: what this is, what it costs, what it promises, and a way to try it. */
import { type Html, html } from '../../http/body/html.ts'
import { codeBlock } from './code-block.ts'
import { documentTable } from './document-table.ts'
import { exampleOf } from './examples.ts'
import { checkPath, gistOf, type SiteFacts } from './facts.ts'
import type { Layout } from './layout.ts'
import { panel } from './panel.ts'
import { snippetsFor } from './snippets.ts'

const DESCRIPTION =
  'Pay-per-call format and checksum checks for IBAN, EU VAT number, Polish NIP, REGON and PESEL, and email address, over A2A, REST and MCP.'

export function homePage(facts: SiteFacts, layout: Layout): string {
  return layout({
    title: `${facts.listing.service}: one identifier in, one verdict out`,
    description: DESCRIPTION,
    path: '/',
    assets: facts.sandbox ? ['sandbox-wallet.js', 'panel.js'] : ['panel.js'],
    main: html`${hero(facts)}${checks(facts)}${limits(facts)}${payment(facts)}${calls(facts)}${privacy(facts)}${documents()}`,
  })
}

function hero(facts: SiteFacts): Html {
  const { listing } = facts
  return html`<div class="hero wrap">
<div class="pitch">
<h1>Check the form before you act on it.</h1>
<p class="lead">One identifier in, one verdict out: IBAN, EU VAT number, Polish NIP, REGON and PESEL, email address. Format and checksum by the published rules, with the reason as a code a program can branch on.</p>
<dl class="figures">
<div><dt>Price</dt><dd>${listing.price} <span>a call</span></dd></div>
<div><dt>Paid with</dt><dd>USDC <span>on ${listing.networkName}, x402</span></dd></div>
<div><dt>Account</dt><dd>none <span>and no API key</span></dd></div>
</dl>
<p class="actions"><a class="button secondary" href="#call">Call it from code</a> <a href="/llms.txt">For agents: llms.txt</a></p>
</div>
${panel(facts)}
</div>`
}

function checks({ skills }: SiteFacts): Html {
  return html`<section class="wrap" id="checks" aria-labelledby="checks-title">
<h2 id="checks-title">Six checks</h2>
<ul class="cards">
${skills.all.map((skill) => {
  const { input, output } = exampleOf(skill, true)
  return html`<li><a class="card" href="${checkPath(skill)}">
<h3>${skill.title.replace(/ check$/, '')}</h3>
<p class="sample"><span class="before">${input.value}</span><span class="after"><span class="tick" aria-hidden="true"></span>${output.normalized ?? ''}</span></p>
<p>${gistOf(skill)}</p>
</a></li>`
})}
</ul>
</section>`
}

function limits({ skills }: SiteFacts): Html {
  const notChecked = skills.all.flatMap((skill) => exampleOf(skill, true).output.details.notChecked)
  return html`<section class="wrap split" aria-labelledby="limits-title">
<h2 id="limits-title">What a verdict says, and what it does not</h2>
<div>
<h3>It says</h3>
<ul class="says">
<li>whether the value is well formed, layer by layer: format, checksum, national check digits</li>
<li>why not, as one of a closed list of codes, with the position where one helps</li>
<li>which edition of the rules decided: same value, same edition, the same bytes</li>
</ul>
</div>
<div>
<h3>It does not say</h3>
<ul class="says-not">
${[...new Set(notChecked)].map((each) => html`<li>${each}</li>`)}
</ul>
<p class="hint">No register, bank, mail server or DNS is asked.</p>
</div>
</section>`
}

function payment({ listing }: SiteFacts): Html {
  return html`<section class="wrap" aria-labelledby="payment-title">
<h2 id="payment-title">How a call is paid</h2>
<ol class="steps">
<li><h3>Ask</h3><p><code>POST</code> the value. The answer is <code>402</code> with the terms: ${listing.price}, to whom, on which chain, for how long.</p></li>
<li><h3>Sign</h3><p>Your wallet signs one transfer of exactly that amount. No gas, no allowance, no deposit.</p></li>
<li><h3>Read</h3><p>Repeat the same request with the signature. The answer is <code>200</code> with the verdict and a receipt that names the transaction.</p></li>
</ol>
<ul class="terms">
<li><strong>Errors cost nothing.</strong> A bad request or a refused payment is never charged. An invalid identifier is a verdict, not an error.</li>
<li><strong>Charged at most once.</strong> Copies of a request share one settlement.</li>
<li><strong>Answered once charged.</strong> Lost the answer? Repeat the request unchanged within the hour: it is free.</li>
<li><strong>Doubt is called doubt.</strong> When an outcome is unknown the answer says so, and it is cleared up on the chain.</li>
</ul>
</section>`
}

function calls(facts: SiteFacts): Html {
  const [skill] = facts.skills.all
  if (skill === undefined) throw new Error('a registry without skills')
  return html`<section class="wrap" id="call" aria-labelledby="call-title">
<h2 id="call-title">Call it</h2>
${snippetsFor(facts, skill).map(
  ({ id, title, note, code }) => html`<div class="snippet" id="call-${id}">
<div><h3>${title}</h3><p>${note}</p></div>
${codeBlock(`Example: ${title}`, code)}
</div>`,
)}
</section>`
}

const privacy = ({
  listing,
}: SiteFacts): Html => html`<section class="promise" aria-labelledby="privacy-title">
<div class="wrap">
<h2 id="privacy-title">The privacy promise</h2>
<p class="vow">${listing.privacy.split('. ')[0] ?? ''}.</p>
<p>${listing.privacy.split('. ').slice(1).join('. ')} <a href="/docs/privacy">What exists where, and for how long</a>.</p>
</div>
</section>`

const documents = (): Html => html`<section class="wrap" id="documents" aria-labelledby="documents-title">
<h2 id="documents-title">Documents</h2>
${documentTable()}
</section>`
