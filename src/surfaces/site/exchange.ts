/** One request beside its answer, word for word, for the top of the front page. */
import { type Html, html } from '../../http/body/html.ts'
import { restPath } from '../../payments/terms/rest-offer.ts'
import { compactJson } from './compact-json.ts'
import { exampleOf } from './examples.ts'
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

const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\b\d+(?:\.\d+)?\b/g

/** JSON with its parts marked as the highlighter of the documents marks them. */
function jsonMarkup(json: string): Html {
  const parts: Html[] = []
  let at = 0
  for (const match of json.matchAll(TOKEN)) {
    const [token, text, colon] = match
    const kind = colon !== undefined ? 'attr' : text !== undefined ? 'string' : 'literal'
    const word = colon === undefined ? token : (text ?? '')
    parts.push(html`${json.slice(at, match.index)}<span class="hljs-${kind}">${word}</span>${colon}`)
    at = match.index + token.length
  }
  return html`${[...parts, html`${json.slice(at)}`]}`
}
