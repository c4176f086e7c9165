import { type Html, html } from '../../../../http/body/html.ts'

export interface Bar {
  readonly name: string
  readonly value: number
  /** Said after the value. */
  readonly note?: string
}

/** A table whose rows carry a bar of their value's share of the largest one. */
export function bars(caption: string, rows: readonly Bar[]): Html {
  const highest = Math.max(1, ...rows.map(({ value }) => value))
  return html`<table class="bars"><caption>${caption}</caption><tbody>
${rows.map(
  ({ name, value, note }) => html`<tr><th scope="row">${breakable(name)}</th>
<td class="bar"><svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true"><rect class="c0" x="0" y="0" width="${Math.round((value / highest) * 1000) / 10}" height="8"/></svg></td>
<td class="number">${value.toLocaleString('en-US')}${note === undefined ? html`` : html` <small>${note}</small>`}</td></tr>
`,
)}</tbody></table>`
}

/** Our codes are long words; they may be broken behind an underscore. */
const breakable = (name: string) =>
  name.split('_').map((part, index) => (index === 0 ? html`${part}` : html`_<wbr>${part}`))
