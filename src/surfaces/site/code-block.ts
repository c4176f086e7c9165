import { type Html, html } from '../../values/html.ts'

/** Code to read and copy; `tabindex` lets a keyboard scroll what is wider than the page. */
export function codeBlock(label: string, code: string | Html): Html {
  return html`<div class="code" data-copy><pre tabindex="0" role="region" aria-label="${label}"><code>${code}</code></pre></div>`
}

/** Tabs by the ARIA pattern, the first of them chosen; without scripts one below the other with their titles. */
export function tabs(
  label: string,
  panels: readonly { readonly title: string; readonly body: Html }[],
): Html {
  const idOf = (at: number) => `${label}-${at}`.toLowerCase().replaceAll(' ', '-')
  return html`<div class="tabs" data-tabs>
<div class="tab-list" role="tablist" aria-label="${label}">${panels.map(({ title }, at) => html`<button type="button" role="tab" id="${idOf(at)}" aria-controls="${idOf(at)}-panel" aria-selected="${at === 0 ? 'true' : 'false'}" tabindex="${at === 0 ? '0' : '-1'}">${title}</button>`)}</div>
${panels.map(
  (
    { title, body },
    at,
  ) => html`<div class="tab" role="tabpanel" id="${idOf(at)}-panel" aria-labelledby="${idOf(at)}"${at > 0 && html` hidden`}><p class="tab-title">${title}</p>
${body}</div>
`,
)}</div>`
}

export function codeTabs(
  label: string,
  codes: readonly { readonly title: string; readonly code: string | Html }[],
): Html {
  return tabs(
    label,
    codes.map(({ title, code }) => ({ title, body: codeBlock(`${label}, ${title}`, code) })),
  )
}
