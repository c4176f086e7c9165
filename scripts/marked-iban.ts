/** docs/charts/marked-iban.svg: recorded answers of the IBAN check as the front page marks them. */
import { buildRegistry } from '../src/catalog/registry.ts'
import { recordedAnswers } from '../src/surfaces/site/explained.ts'
import { escaped, STYLE } from './chart.ts'

const [WIDTH, ADVANCE, ROW] = [440, 11.4, 104]

/** A part of a value: its characters, and what stands below it or a ring around it. */
type Part = { readonly text: string; readonly name?: string; readonly isMarked?: boolean }

/** The parts of the markup of an answer. */
function partsOf(markup: string): readonly Part[] {
  const line = /<p class="parts"[^>]*>(.*?)<\/p>/s.exec(markup)?.[1] ?? ''
  return [
    ...line.matchAll(/<span>([^<]*)<small>([^<]*)<\/small><\/span>|<mark>([^<]*)<\/mark>|([^<]+)/g),
  ].map(([, part, name, marked, plain]) =>
    part === undefined
      ? { text: marked ?? plain ?? '', isMarked: marked !== undefined }
      : { text: part, ...(name === undefined ? {} : { name }) },
  )
}

const plain = (markup: string) => markup.replaceAll(/<[^>]+>/g, '').trim()

export function markedIban(): string {
  const skill = buildRegistry().get('iban')
  if (skill === undefined) throw new Error('there is no check of IBANs')
  const answers = recordedAnswers(skill).slice(0, 3)
  const rows = answers.map(({ title, body }, at) => {
    const markup = body.markup
    const parts = partsOf(markup)
    const named = parts.some(({ name }) => name !== undefined)
    const y = at * ROW + 46
    let x = 14
    const drawn = parts.map(({ text, name, isMarked }) => {
      const width = text.length * ADVANCE
      const said = `<text class="code" x="${x.toFixed(1)}" y="${y}" textLength="${width.toFixed(1)}" lengthAdjust="spacingAndGlyphs" xml:space="preserve">${text}</text>`
      const ring = `<rect class="ring" x="${x - 3}" y="${y - 17}" width="${(width + 6).toFixed(1)}" height="24" rx="5"/>`
      const below = `<path class="line" d="M${x} ${y + 6}h${(width - 2).toFixed(1)}"/><text class="q small" x="${x}" y="${y + 19}">${name ?? ''}</text>`
      x += named ? Math.max(width, (name ?? '').length * 5.6) + 8 : width
      return `${isMarked ? ring : ''}${said}${name === undefined ? '' : below}`
    })
    const [, reason = ''] = /<\/p>\s*<p>(.*?)<\/p>/s.exec(markup) ?? []
    const lines = broken(plain(reason), 64)
    const texts = lines.map(
      (line, nth) => `<text x="14" y="${y + (named ? 38 : 24) + nth * 16}">${line}</text>`,
    )
    return `<text class="b" x="14" y="${y - 26}">${title}</text>${drawn.join('')}${texts.join('')}`
  })
  const alternative = answers
    .map(({ title, body }) => `${title}: ${plain(body.markup).replaceAll(/\s+/g, ' ')}`)
    .join('; ')
  const style = STYLE.replace(
    '</style>',
    '.code{font:600 19px ui-monospace,Menlo,Consolas,monospace}.small{font-size:10px}.ring{fill:none;stroke:#a92a1f;stroke-width:2}@media(prefers-color-scheme:dark){.ring{stroke:#ff9d90}}</style>',
  )
  const height = answers.length * ROW + 6
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" role="img" aria-label="${escaped(alternative.replaceAll('&quot;', '"').replaceAll('&amp;', '&'))}">
${style}
<rect class="box" x="0.5" y="0.5" width="${WIDTH - 1}" height="${height - 1}" rx="8"/>
${rows.join('\n')}
</svg>
`
}

function broken(text: string, most: number): readonly string[] {
  if (text.length <= most) return [text]
  const space = text.lastIndexOf(' ', most)
  return [text.slice(0, space), ...broken(text.slice(space + 1), most)]
}
