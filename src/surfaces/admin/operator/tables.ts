import { type Html, html, type Insert } from '../../../values/html.ts'

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

/** One number; the look colours it if something is wrong. */
export type Tile = readonly [name: string, value: string, note: string, look?: 'is-watch' | 'is-act' | false]

export const tiles = (all: readonly Tile[]): Html =>
  html`<div class="tiles">${all.map(
    ([name, value, note, look]) =>
      html`<div class="tile ${look || 'is-plain'}"><h3>${name}</h3><p class="figure">${value}</p><p>${note}</p></div>`,
  )}</div>`

export const FAILED = html`<p class="failed" role="alert"><strong>failed</strong>: the store did not answer</p>`

export const ifRead = <T>(reading: PromiseSettledResult<T>, show: (value: T) => Html): Html =>
  reading.status === 'fulfilled' ? show(reading.value) : FAILED
