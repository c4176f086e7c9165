import { type Html, html } from '../../values/html.ts'

/** Code to read and copy; `tabindex` lets a keyboard scroll what is wider than the page. */
export function codeBlock(label: string, code: string | Html): Html {
  return html`<div class="code" data-copy><pre tabindex="0" role="region" aria-label="${label}"><code>${code}</code></pre></div>`
}

/** The same code in several languages: tabs, or one below the other without scripts. */
export function codeTabs(
  label: string,
  tabs: readonly { readonly title: string; readonly code: string | Html }[],
): Html {
  return html`<div class="tabs" data-tabs="${label}">
${tabs.map(({ title, code }) => html`<div class="tab" data-tab="${title}"><p class="tab-title">${title}</p>${codeBlock(`${label}, ${title}`, code)}</div>`)}
</div>`
}
