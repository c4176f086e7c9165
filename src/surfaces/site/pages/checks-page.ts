import { html } from '../../../values/html.ts'
import { checkedThings } from '../checked-things.ts'
import type { Layout } from '../layout.ts'
import type { PageContext } from '../page-context.ts'
import { checkCard } from './home.ts'

export function checksPage({ listing, skills }: PageContext, layout: Layout): string {
  return layout({
    title: `Checks - ${listing.service}`,
    description: `The rules, sources, codes and examples of every check: ${checkedThings(skills)}.`,
    path: '/checks',
    assets: ['reading.css'],
    main: html`<div class="wrap page wide">
<h1>Checks</h1>
<p class="lead">Each decides by published rules and names the edition it used. Open one for its rules, codes, examples and sources.</p>
<h2 class="quiet">All checks</h2>
<ul class="cards">${skills.all.map(checkCard)}</ul>
<p class="hint">No register, bank, mail server or DNS is asked: a well-formed identifier need not exist.</p>
</div>`,
  })
}
