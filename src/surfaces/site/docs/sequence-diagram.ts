/** Draws the part of Mermaid's sequence diagrams that the documents use: participants, messages, notes, alternatives. */
import { type Html, html } from '../../../http/body/html.ts'

type Row =
  | {
      readonly kind: 'message'
      readonly from: string
      readonly to: string
      readonly dashed: boolean
      readonly text: string
    }
  | { readonly kind: 'note'; readonly over: string; readonly text: string }
  | { readonly kind: 'divider'; readonly word: string; readonly text: string }

interface Sequence {
  readonly names: ReadonlyMap<string, string>
  readonly rows: readonly Row[]
}

const WIDTH = 720
const ROW = 40
const HEAD = 44
const LINE = 15
const LONGEST_LINE = 62

/** Null for any other diagram. */
export function renderSequence(source: string, label: string): Html | null {
  const sequence = readSequence(source)
  if (sequence === null) return null
  const { names, rows } = sequence
  const columns = [...names.keys()]
  const at = (name: string) => ((columns.indexOf(name) + 0.5) * WIDTH) / columns.length
  const drawn: Html[] = []
  let y = HEAD + 14
  for (const row of rows) {
    const { markup, height } = drawRow(row, y, at)
    drawn.push(markup)
    y += height
  }
  return html`<figure class="sequence" tabindex="0" role="region" aria-label="${label}"><svg viewBox="0 0 ${WIDTH} ${y + 6}" role="img" aria-label="${describe(sequence)}">
${columns.map((name) => html`<line class="life" x1="${at(name)}" x2="${at(name)}" y1="${HEAD - 8}" y2="${y}"/><rect class="actor" x="${at(name) - 52}" y="4" width="104" height="30" rx="6"/><text class="name" x="${at(name)}" y="24">${names.get(name) ?? name}</text>`)}
${drawn}
</svg></figure>`
}

function readSequence(source: string): Sequence | null {
  const [first, ...lines] = source.trim().split('\n')
  if (first?.trim() !== 'sequenceDiagram') return null
  const names = new Map<string, string>()
  const rows: Row[] = []
  for (const line of lines.map((each) => each.trim())) {
    const participant = /^participant (\w+) as (.+)$/.exec(line)
    const message = /^(\w+)(--?)>>(\w+): (.+)$/.exec(line)
    const note = /^Note over (\w+): (.+)$/.exec(line)
    const divider = /^(alt|else|opt|loop|end)\b ?(.*)$/.exec(line)
    if (participant !== null) names.set(participant[1] ?? '', participant[2] ?? '')
    else if (message !== null)
      rows.push({
        kind: 'message',
        from: message[1] ?? '',
        dashed: message[2] === '--',
        to: message[3] ?? '',
        text: message[4] ?? '',
      })
    else if (note !== null) rows.push({ kind: 'note', over: note[1] ?? '', text: note[2] ?? '' })
    else if (divider !== null) rows.push({ kind: 'divider', word: divider[1] ?? '', text: divider[2] ?? '' })
    else if (line !== '') return null
  }
  return { names, rows }
}

function drawRow(
  row: Row,
  y: number,
  at: (name: string) => number,
): { readonly markup: Html; readonly height: number } {
  if (row.kind === 'divider') {
    const words = row.word === 'end' ? '' : `${row.word === 'alt' ? 'if' : row.word} ${row.text}`
    return {
      markup: html`<line class="divider" x1="4" x2="${WIDTH - 4}" y1="${y + 4}" y2="${y + 4}"/><text class="condition" x="6" y="${y + 20}">${words}</text>`,
      height: words === '' ? 16 : 30,
    }
  }
  if (row.kind === 'note') {
    const lines = row.text.split(/<br\/?>/).flatMap(wrap)
    const height = lines.length * LINE + 14
    const width = Math.min(WIDTH - 8, Math.max(...lines.map((line) => line.length)) * 6.4 + 24)
    const x = Math.min(Math.max(at(row.over) - width / 2, 4), WIDTH - width - 4)
    return {
      markup: html`<rect class="note" x="${x}" y="${y}" width="${width}" height="${height}" rx="5"/>${lines.map((line, index) => html`<text x="${x + width / 2}" y="${y + 18 + index * LINE}">${line}</text>`)}`,
      height: height + 14,
    }
  }
  return drawMessage(row, y, at)
}

function drawMessage(
  { from, to, dashed, text }: Extract<Row, { kind: 'message' }>,
  y: number,
  at: (name: string) => number,
): { readonly markup: Html; readonly height: number } {
  const [start, end] = [at(from), at(to)]
  const lines = wrap(text)
  const widest = Math.max(...lines.map((line) => line.length)) * 6.2
  const middle = Math.min(Math.max((start + end) / 2, widest / 2 + 4), WIDTH - widest / 2 - 4)
  const base = y + lines.length * LINE + 4
  const side = end > start ? -1 : 1
  return {
    markup: html`${lines.map((line, index) => html`<text class="said" x="${middle}" y="${y + 11 + index * LINE}">${line}</text>`)}<line class="${dashed ? 'reply' : 'call'}" x1="${start}" x2="${end + side * 2}" y1="${base}" y2="${base}"/><path class="tip" d="M${end} ${base}l${side * 8} -4v8z"/>`,
    height: ROW + (lines.length - 1) * LINE,
  }
}

function wrap(text: string): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last === undefined || last.length + word.length >= LONGEST_LINE) lines.push(word)
    else lines[lines.length - 1] = `${last} ${word}`
  }
  return lines
}

/** The steps in order, for those who cannot see them. */
const describe = ({ names, rows }: Sequence): string =>
  rows
    .map((row) => {
      if (row.kind === 'message') return `${names.get(row.from)} to ${names.get(row.to)}: ${row.text}.`
      if (row.kind === 'note') return `${names.get(row.over)}: ${row.text.replaceAll(/<br\/?>/g, ' ')}.`
      return row.word === 'end' ? '' : `${row.word} ${row.text}:`
    })
    .filter((text) => text !== '')
    .join(' ')
