/** One request beside its answer, word for word, for the top of the front page. */
import { type Html, html } from '../../http/body/html.ts'
import { restPath } from '../../payments/terms/rest-offer.ts'
import { compactJson } from './compact-json.ts'
import { exampleOf } from './examples.ts'
import { jsonMarkup } from './json-markup.ts'
import type { PageContext } from './page-context.ts'

export function exchange(context: PageContext): Html {
  const [skill] = context.skills.all
  if (skill === undefined) throw new Error('a registry without skills')
  const { input, output } = exampleOf(skill, false)
  return html`<div class="exchange">
<figure>
<figcaption><span>Request</span> <code>POST ${restPath(context, skill)}</code></figcaption>
<pre tabindex="0" role="region" aria-label="Request"><code>${jsonMarkup(compactJson({ value: input.value }))}</code></pre>
</figure>
<figure>
<figcaption><span>Answer</span> <code>200</code> <small>paid ${context.listing.price}</small></figcaption>
<pre tabindex="0" role="region" aria-label="Answer"><code>${jsonMarkup(compactJson(output, 60))}</code></pre>
</figure>
</div>`
}
