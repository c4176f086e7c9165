import { type Html, html } from '../../http/body/html.ts'

/** Code to read and copy; it scrolls by itself where it is wider than the page, also by keyboard. */
export function codeBlock(label: string, code: string): Html {
  return html`<div class="code" data-copy><pre tabindex="0" role="region" aria-label="${label}"><code>${code}</code></pre></div>`
}
