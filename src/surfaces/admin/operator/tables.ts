import { type Html, html, type Insert } from '../../../values/html.ts'
import type { Reading } from './figures/figures.ts'

/** A table that scrolls on a narrow screen; the first cell of a row is its heading. */
export const table = (
  label: string,
  columns: readonly string[],
  rows: readonly (readonly Insert[])[],
): Html => html`<div class="scroll" tabindex="0" role="region" aria-label="${label}"><table><thead><tr>${columns.map(
  (column) => html`<th scope="col">${column}</th>`,
)}</tr></thead><tbody>
${rows.map(
  ([
    first,
    ...rest
  ]) => html`<tr><th scope="row">${first}</th>${rest.map((cell) => html`<td>${cell}</td>`)}</tr>
`,
)}</tbody></table></div>`

export const code = (text: string): Html => html`<code>${text}</code>`

/** One number; `look` colours it when something is wrong. */
export const tile = (
  name: string,
  value: string,
  note: string,
  look: 'is-plain' | 'is-watch' | 'is-act' = 'is-plain',
): Html => html`<div class="tile ${look}"><h3>${name}</h3><p class="figure">${value}</p><p>${note}</p></div>`

export const tiles = (all: readonly Html[]): Html => html`<div class="tiles">${all}</div>`

/** Shown for a figure that could not be read, instead of a number. */
export const FAILED = html`<p class="failed" role="alert"><strong>failed</strong>: the store did not answer</p>`

export const ifRead = <T>(reading: Reading<T>, show: (value: T) => Html): Html =>
  reading.kind === 'read' ? show(reading.value) : FAILED
