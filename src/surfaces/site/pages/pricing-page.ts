import { dollars, groupDigits } from '../../../payments/networks/usdc.ts'
import { termsOf } from '../../../payments/terms/rest-offer.ts'
import { type Html, html } from '../../../values/html.ts'
import type { Layout } from '../layout.ts'
import type { PageContext } from '../page-context.ts'

const VOLUMES = [1n, 100n, 1_000n, 10_000n, 100_000n, 1_000_000n]

export function pricingPage(context: PageContext, layout: Layout): string {
  const { listing } = context
  return layout({
    title: `Pricing - ${listing.service}`,
    description: `${listing.price} a call in USDC on ${listing.networkName}. No account, no subscription, no minimum; bad requests cost nothing.`,
    path: '/pricing',
    assets: ['reading.css'],
    main: html`<div class="wrap page">
<h1>${listing.price} a call</h1>
<p class="lead">One price for every check, on every interface. In USDC on ${listing.networkName}, paid call by call with x402. No account, no subscription, no minimum, no invoice.</p>
<section class="columns" aria-label="Costs">
<div><h2>What calls cost</h2>
<div class="table" tabindex="0" role="region" aria-label="Cost by number of calls"><table><thead><tr><th scope="col">Calls</th><th scope="col" class="number">USDC</th></tr></thead><tbody>
${VOLUMES.map((calls) => html`<tr><th scope="row">${groupDigits(calls)}</th><td class="number">${costOf(context, calls)}</td></tr>`)}
</tbody></table></div>
<p class="hint">One USDC is one US dollar. The facilitator pays the network fee; a buyer needs no ether.</p></div>
<div><h2>What is charged</h2>
<ul class="ticks">
<li>A verdict, valid or invalid: ${listing.price}</li>
<li>A <a href="/lists">list</a>: ${listing.price} for each of its up to 1,000 values, in one payment</li>
</ul>
<h2>What is free</h2>
<ul class="ticks">
<li>Asking for the terms: every unpaid request</li>
<li>Bad requests</li>
<li>Refused payments. If one was charged anyway, it pays for the same call when you sign again</li>
<li>Repeating a paid request within an hour</li>
<li>Price list, documents, status, agent cards</li>
</ul></div>
</section>
<section aria-labelledby="questions"><h2 id="questions">Questions</h2>
${question('Is there a volume discount?', html`No. Every call costs the same, the first and the millionth.`)}
${question('Can I have my money back?', html`A payment is settled only for a verdict that is already computed. If a verdict does not reach you, repeat the same request within an hour: it is answered again and not charged. <a href="/docs/wallet#refunds">When money is paid back</a>`)}
${question('How do I pay?', html`With a wallet that holds USDC on ${listing.networkName}, from a program or from <a href="/#try">the panel on the front page</a>. <a href="/docs/wallet">How to fund a wallet</a>`)}
${question('Can I try it without money?', html`Yes: the <a href="/#try">recorded answers</a> on the front page, and a <a href="/docs/try-it">sandbox</a> with test money on your own machine.`)}
</section>
</div>`,
  })
}

const question = (asked: string, answer: Html): Html =>
  html`<div class="question"><h3>${asked}</h3><p>${answer}</p></div>`

function costOf(context: PageContext, calls: bigint): string {
  const [skill] = context.skills.all
  return dollars(BigInt(termsOf(context, skill).amount) * calls)
}
