import { type Html, html } from '../../http/body/html.ts'

const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(?:true|false|null)\b|-?\b\d+(?:\.\d+)?\b/g

/** JSON with its parts marked as the highlighter of the documents marks them. */
export function jsonMarkup(json: string): Html {
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
