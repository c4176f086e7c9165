import type { Skill } from '../../../catalog/skill.ts'
import { type Html, html } from '../../../values/html.ts'
import { checkedThings } from '../checked-things.ts'
import { codeTabs } from '../code-block.ts'
import type { Guide } from '../docs/guide.ts'
import { exampleOf } from '../examples.ts'
import { explained } from '../explained.ts'
import type { Layout } from '../layout.ts'
import { checkPath, gistOf, type PageContext } from '../page-context.ts'
import { panel } from '../panel.ts'
import { curl, payingFetch } from '../snippets.ts'
import differences from './iban-differences.generated.json' with { type: 'json' }

export interface HomeDeps {
  readonly guides: readonly Guide[]
  readonly examplesPath: string
}

export function homePage(context: PageContext, layout: Layout, { guides, examplesPath }: HomeDeps): string {
  const { listing, skills } = context
  return layout({
    title: `${listing.service}: validate ${checkedThings(skills)}`,
    description: `Validate ${checkedThings(skills)} before you act on them. Format and checksum, offline, with the reason as a code. ${listing.price} a call, no account.`,
    path: '/',
    assets: ['home.css', ...(context.sandbox ? ['sandbox-wallet.js'] : []), 'panel.js'],
    main: html`${hero(context)}${ways(context)}${panel(context, examplesPath)}${calls(context, guides)}${checks(context)}${limits(context)}${payment(context)}${privacy(context)}`,
  })
}

function hero(context: PageContext): Html {
  const { listing, skills } = context
  return html`<div class="hero wrap">
<div class="pitch">
<h1>Validate ${checkedThings(skills)} before you act on them.</h1>
<p class="lead">One identifier in, one verdict out, with the reason as a code your program can branch on. <strong>${listing.price} a call, no account.</strong></p>
<p class="actions"><a class="button" href="#try">Check your own: ${listing.price}</a> <a class="button secondary" href="/docs">Read the documents</a></p>
</div>
${explained(context)}
</div>`
}

const ways = ({
  listing,
  mcpHosts,
}: PageContext): Html => html`<section class="wrap ways" aria-labelledby="ways-title">
<h2 class="quiet" id="ways-title">Three ways in</h2>
<ul class="cards">
<li><a class="card" href="#call"><h3>Give it to an assistant</h3><p>One line for Claude Code, ${mcpHosts.links.length > 0 ? 'a click for others' : 'an entry for others'}. At most a dollar a day.</p></a></li>
<li><a class="card" href="#call"><h3>Call it from code</h3><p>REST, MCP and A2A. USDC on ${listing.networkName} by x402, no API key.</p></a></li>
<li><a class="card" href="/lists"><h3>Check a file</h3><p>Drop a CSV, see the price, sign once, save the results.</p></a></li>
</ul>
<p class="why"><strong>Why not a library?</strong> On ${differences.date}, ${differences.libraries} common ones judged ${differences.fewest} to ${differences.most} of our ${differences.values} public IBAN values differently; <a href="/docs/evidence/peer-differences">the causes</a>.</p>
</section>`

function checks({ skills }: PageContext): Html {
  return html`<section class="wrap" id="checks" aria-labelledby="checks-title">
<h2 id="checks-title">What it checks</h2>
<ul class="cards">${skills.all.map(checkCard)}</ul>
</section>`
}

export function checkCard(skill: Skill): Html {
  const { input, output } = exampleOf(skill, true)
  return html`<li><a class="card" href="${checkPath(skill)}">
<h3>${skill.title.replace(/ check$/, '')}</h3>
<p class="sample"><span class="before">${input.value}</span><span class="after"><span class="tick" aria-hidden="true"></span>${output.normalized ?? ''}</span></p>
<p>${gistOf(skill)}</p>
</a></li>`
}

function limits({ skills }: PageContext): Html {
  const notChecked = skills.all.flatMap((skill) => exampleOf(skill, true).output.details.notChecked)
  return html`<section class="wrap split" aria-labelledby="limits-title">
<h2 id="limits-title">What a verdict says, and what it does not</h2>
<div>
<h3>It says</h3>
<ul class="says">
<li>whether the value is well formed, layer by layer: format, checksum, national check digits</li>
<li>why not, as one of a closed list of codes, with the position if that helps</li>
<li>which edition of the rules decided</li>
<li>what else is <a href="/docs/known-offline">known offline</a>, such as the bank</li>
</ul>
</div>
<div>
<h3>It does not say</h3>
<p class="says-not">${[...new Set(notChecked)].join(', ')}. No register, bank, mail server or DNS is asked.</p>
</div>
</section>`
}

function payment({ listing }: PageContext): Html {
  return html`<section class="wrap" aria-labelledby="payment-title">
<h2 id="payment-title">How a call is paid</h2>
<ol class="steps">
<li><h3>Ask</h3><p><code>POST</code> the value. The answer is <code>402</code> with the terms: ${listing.price}, payee, chain, deadline.</p></li>
<li><h3>Sign</h3><p>Your wallet signs one transfer of exactly that amount. No gas, no allowance, no deposit.</p></li>
<li><h3>Read</h3><p>Repeat the request with the signature. The answer is the verdict, with a receipt that names the transaction.</p></li>
</ol>
<ul class="terms">
<li><strong>Bad requests cost nothing.</strong> An invalid identifier is a verdict, not a bad request.</li>
<li><strong>Charged at most once.</strong> Copies of a request share one settlement.</li>
<li><strong>Answered once charged.</strong> Lost the answer? Repeat the request within the hour, free.</li>
<li><strong>If a payment is unclear, the answer says so</strong> until the chain settles it.</li>
</ul>
</section>`
}

function calls(context: PageContext, guides: readonly Guide[]): Html {
  const { mcpHosts, skills } = context
  const [skill] = skills.all
  const tabs = [
    { title: 'curl', code: curl(context, skill) },
    { title: 'TypeScript', code: payingFetch(context, skill) },
    { title: 'Python', code: blockOf(guides, 'clients', /^```py\n([\s\S]*?)\n```$/m) },
    { title: 'Go', code: blockOf(guides, 'paying-by-hand', /^```go Go\n([\s\S]*?)\n```$/m) },
    { title: 'Claude Code', code: mcpHosts.line },
    { title: 'Other MCP hosts', code: mcpHosts.file },
  ]
  return html`<section class="wrap" id="call" aria-labelledby="call-title">
<h2 id="call-title">Call it from code, or give it to an assistant</h2>
<p>TypeScript and Python pay; curl and Go read the terms, and nothing is charged. ${mcpHosts.words}</p>
${codeTabs(
  'Example',
  tabs.filter(({ code }) => code !== ''),
)}
${mcpHosts.links.length > 0 && html`<ul class="more">${mcpHosts.links.map(({ host, url, words }) => html`<li><a href="${url}">${host}</a>: ${words}</li>`)}</ul>`}
<p class="more"><a href="/docs/clients">MCP, A2A and more languages</a></p>
</section>`
}

/** A program out of a guide; tests run it there. */
const blockOf = (guides: readonly Guide[], name: string, block: RegExp): string =>
  block.exec(guides.find((guide) => guide.name === name)?.markdown ?? '')?.[1] ?? ''

const privacy = ({
  listing,
}: PageContext): Html => html`<section class="promise" aria-labelledby="privacy-title">
<div class="wrap">
<h2 id="privacy-title">The privacy promise</h2>
<p class="vow">${listing.privacy.split('. ')[0] ?? ''}.</p>
<p>${listing.privacy.split('. ').slice(1).join('. ')} <a href="/docs/privacy">What is kept, where, and for how long</a>.</p>
</div>
</section>`
