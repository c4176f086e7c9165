/** Bar charts as SVG that reads on a phone and in both colour schemes. */

export interface Bar {
  readonly name: string
  readonly value: number
  /** What stands beside the bar. */
  readonly text: string
  /** True for this service. */
  readonly ours?: boolean
}

export interface Chart {
  readonly title: string
  readonly groups: readonly { readonly label?: string; readonly bars: readonly Bar[] }[]
  /** Tenfold steps instead of even ones, from the first power of ten below the smallest value. */
  readonly log?: boolean
}

const WIDTH = 360
const LEFT = 146
const RIGHT = 64
const ROW = 22

export const STYLE = `<style>
text{font:12px system-ui,sans-serif;fill:#1d1d1b}.q{fill:#5b5b57}.b{font-weight:600}
.ours{fill:#0b6b4f}.other{fill:#a9a69d}.line{stroke:#8a877e;fill:none}.box{fill:#f5f7f9;stroke:#8a877e}.end{fill:#e9f5ee;stroke:#0b6b4f}.tip{fill:#8a877e}.paper{fill:#fff}.m{text-anchor:middle}
@media(prefers-color-scheme:dark){text{fill:#ecebe7}.q{fill:#a8a69f}.ours{fill:#4cc79a}.other{fill:#6d6a63}.box{fill:#121a24;stroke:#8a877e}.end{fill:#10271d;stroke:#4cc79a}.paper{fill:#0b1017}}
</style>`

export const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

export function barChart({ title, groups, log = false }: Chart): string {
  const values = groups.flatMap(({ bars }) => bars.map(({ value }) => value))
  const [least, most] = [Math.min(...values), Math.max(...values)]
  const from = log ? 10 ** Math.floor(Math.log10(least)) : 0
  const share = (value: number) =>
    log ? Math.log10(value / from) / Math.log10(most / from) : (value - from) / (most - from)
  let y = 24
  const drawn = groups.flatMap(({ label, bars }) => {
    const lines: string[] = []
    if (label !== undefined) {
      y += ROW
      lines.push(`<text class="b" x="0" y="${y - 6}">${escaped(label)}</text>`)
    }
    for (const { name, value, text, ours } of bars) {
      const width = Math.max(1, Math.round(share(value) * (WIDTH - LEFT - RIGHT)))
      y += ROW
      lines.push(
        `<text class="${ours ? 'b' : 'q'}" x="${LEFT - 6}" y="${y - 6}" text-anchor="end">${escaped(name)}</text>` +
          `<rect class="${ours ? 'ours' : 'other'}" x="${LEFT}" y="${y - 17}" width="${width}" height="14" rx="2"/>` +
          `<text x="${LEFT + width + 5}" y="${y - 6}">${escaped(text)}</text>`,
      )
    }
    return lines
  })
  const alternative = groups
    .flatMap(({ label, bars }) =>
      bars.map((bar) => [label, `${bar.name} ${bar.text}`].filter(Boolean).join(', ')),
    )
    .join('; ')
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${y + 8}" role="img" aria-label="${escaped(`${title}: ${alternative}`)}">
${STYLE}
<text class="b" x="0" y="15">${escaped(title)}</text>
${drawn.join('\n')}
</svg>
`
}
