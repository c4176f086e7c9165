/** Drawings of the documents as SVG: the sale's states, the layers, and a single payment beside a channel. */
import type { Row } from '../bench/report/row.ts'
import { PAYMENT_STATES } from '../src/ledger/payments/payment-row.ts'
import { TRANSITIONS } from '../src/ledger/payments/transitions.ts'
import { escaped, STYLE } from './chart.ts'

const WIDTH = 360

const drawing = (height: number, alternative: string, parts: readonly string[]): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" role="img" aria-label="${escaped(alternative)}">
${STYLE}
${parts.join('\n')}
</svg>
`

interface Box {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly lines: readonly string[]
  readonly kind?: 'box' | 'end'
}

const LINE = 16
const heightOf = ({ lines }: Pick<Box, 'lines'>) => lines.length * LINE + 10

/** The first line is the name, the others say more. */
function box({ x, y, width, lines, kind = 'box' }: Box): string {
  const texts = lines.map(
    (line, at) =>
      `<text class="m ${at === 0 ? 'b' : 'q'}" x="${x + width / 2}" y="${y + 17 + at * LINE}">${escaped(line)}</text>`,
  )
  const height = heightOf({ lines })
  return `<rect class="${kind}" x="${x}" y="${y}" width="${width}" height="${height}" rx="6"/>${texts.join('')}`
}

const down = (x: number, from: number, to: number) =>
  `<path class="line" d="M${x} ${from}V${to - 5}"/><path class="tip" d="M${x} ${to}l-4 -7h8z"/>`

/** States from top to bottom; a way down is drawn on the right, a way back on the left. */
export function statesDrawing(): string {
  const [wide, step] = [96, 58]
  const left = (WIDTH - wide) / 2
  const middle = (state: string) =>
    22 + PAYMENT_STATES.indexOf(state as (typeof PAYMENT_STATES)[number]) * step
  const ways = PAYMENT_STATES.flatMap((from) =>
    Object.keys(TRANSITIONS[from]).map((to) => [from, to] as const),
  )
  const isLast = (state: string) => !ways.some(([from, to]) => from === state && to !== state)
  const arcs = ways
    .filter(([from, to]) => from !== to)
    .map(([from, to]) => {
      const span = (middle(to) - middle(from)) / step
      const side = span > 0 ? 1 : -1
      const edge = span > 0 ? left + wide : left
      const reach = edge + side * (14 + Math.abs(span) * 19)
      const [start, end] = [middle(from) + 5 * side, middle(to) - 6 * side]
      return `<path class="line" d="M${edge} ${start}C${reach} ${start} ${reach} ${end} ${edge + side * 7} ${end}"/><path class="tip" d="M${edge + side * 1} ${end}l${side * 8} -4v8z"/>`
    })
  const boxes = PAYMENT_STATES.map((state) =>
    box({ x: left, y: middle(state) - 13, width: wide, lines: [state], kind: isLast(state) ? 'end' : 'box' }),
  )
  const alternative = `States of a payment: ${ways.map(([from, to]) => `${from} to ${to}`).join(', ')}`
  return drawing(PAYMENT_STATES.length * step - 10, alternative, [...arcs, ...boxes])
}

const LAYERS: readonly (readonly (readonly string[])[])[] = [
  [
    ['main', 'start, signals'],
    ['cli', 'commands'],
  ],
  [
    ['sandbox', 'local chain'],
    ['app', 'wires the parts'],
  ],
  [['surfaces', 'a2a  rest  mcp  documents  site  status  admin']],
  [
    ['payments', 'sales, facilitators, Base'],
    ['http', 'limits, headers, bodies'],
  ],
  [
    ['catalog', 'words and schemas'],
    ['ledger', 'SQLite, PostgreSQL'],
  ],
  [['checks', 'a string in, a verdict out; pure']],
]

export function layersDrawing(): string {
  const [gap, step] = [10, 68]
  const parts = LAYERS.flatMap((row, at) => {
    const width = (WIDTH - 2 - gap * (row.length - 1)) / row.length
    const y = 2 + at * step
    const arrow = at + 1 < LAYERS.length ? [down(WIDTH / 2, y + 42, y + step)] : []
    return [...row.map((lines, nth) => box({ x: 1 + nth * (width + gap), y, width, lines })), ...arrow]
  })
  const alternative = `Layers from top to bottom, each imports only what is below it: ${LAYERS.map((row) => row.map(([name]) => name).join(', ')).join('; ')}`
  return drawing(LAYERS.length * step - 20, alternative, parts)
}

/** Both ways of paying 300 calls beside each other, with the gas of each step below it. */
export function waysToPayDrawing({ figures }: Row): string {
  const gas = (name: string) => {
    const found = Number.parseInt(figures.find((each) => each.name === name)?.other ?? '', 10)
    if (Number.isNaN(found)) throw new Error(`no gas of ${name}`)
    return found
  }
  const said = (amount: number) => `${Math.round(amount).toLocaleString('en')} gas`
  const single = gas('single payment')
  const columns: readonly (readonly (readonly string[])[])[] = [
    [
      ['Single payments'],
      ['ask', '402 with the terms', 'no gas'],
      ['sign one transfer', 'send it with the call', 'no gas'],
      ['the service settles', 'one transaction a call', said(single)],
      ['verdict and receipt', 'all of it, each call'],
      [said(single), 'for a call'],
    ],
    [
      ['A channel'],
      ['sign a deposit', 'once, for 300 calls', said(gas('deposit of a new channel'))],
      ['sign a voucher', 'send it with the call', 'no gas'],
      ['verdict and receipt', 'nothing on the chain', 'no gas'],
      [
        'claim and payout',
        `${said(gas('claim of 10, each channel'))}, and`,
        `a tenth of ${said(gas('payout'))}`,
      ],
      [said(gas('a call, claims of 10')), 'for a call'],
    ],
  ]
  const width = (WIDTH - 14) / 2
  const parts = columns.flatMap((steps, column) => {
    const x = 1 + column * (width + 12)
    let y = 2
    return steps.flatMap((lines, at) => {
      const drawn = box({ x, y, width, lines, kind: at === steps.length - 1 ? 'end' : 'box' })
      const end = y + (at === 0 ? 26 : Math.max(heightOf({ lines }), 58))
      const arrow = at + 1 < steps.length ? [down(x + width / 2, y + heightOf({ lines }), end + 16)] : []
      y = end + 16
      return [drawn, ...arrow]
    })
  })
  const alternative = columns.map((steps) => steps.map((lines) => lines.join(', ')).join('; ')).join('. ')
  return drawing(412, alternative, parts)
}

/** From whom, to whom, and what: lanes by their place. A message to its own lane is a note. */
type Message = readonly [from: number, to: number, words: string]

/** Messages from top to bottom between lanes, each with its words above the arrow. */
function sequenceDrawing(lanes: readonly string[], messages: readonly Message[]): string {
  const [top, step] = [34, 34]
  const height = top + messages.length * step + 12
  const lane = (at: number) => ((at + 0.5) * WIDTH) / lanes.length
  const heads = lanes.map((name, at) => box({ x: lane(at) - 42, y: 1, width: 84, lines: [name] }))
  const lives = lanes.map(
    (_, at) => `<path class="line" stroke-dasharray="2 4" d="M${lane(at)} 28V${height}"/>`,
  )
  const arrows = messages.map(([from, to, words], at) => {
    const y = top + (at + 1) * step - 8
    const middle = (lane(from) + lane(to)) / 2
    const half = words.length * 3.5
    const x = Math.min(Math.max(middle, half + 2), WIDTH - half - 2)
    const text = `<rect class="paper" x="${x - half}" y="${y - 17}" width="${2 * half}" height="14"/><text class="m ${from === to ? 'q' : ''}" x="${x}" y="${y - 6}">${escaped(words)}</text>`
    if (from === to) return text
    const back = to > from ? -7 : 7
    return `${text}<path class="line" d="M${lane(from)} ${y}H${lane(to) + back}"/><path class="tip" d="M${lane(to)} ${y}l${back} -4v8z"/>`
  })
  const said = messages.map(
    ([from, to, words]) => `${lanes[from]}${from === to ? '' : ` to ${lanes[to]}`}: ${words}`,
  )
  return drawing(height, said.join('; '), [...lives, ...heads, ...arrows])
}

export const paidCallDrawing = (): string =>
  sequenceDrawing(
    ['Buyer', 'Service', 'Store', 'Facilitator'],
    [
      [0, 1, 'call without payment'],
      [1, 1, 'limits and form: a bad request ends here'],
      [1, 0, '402 with the terms, made at startup'],
      [0, 1, 'the same call with a signed authorization'],
      [1, 1, 'signature recovered; the check runs in memory'],
      [1, 2, 'one durable row: settling'],
      [2, 1, 'a known authorization: its answer again, or 409'],
      [1, 3, 'settle'],
      [3, 1, 'transaction'],
      [1, 2, 'settled'],
      [1, 0, 'verdict and receipt'],
    ],
  )

export const laterPaymentDrawing = (): string =>
  sequenceDrawing(
    ['Buyer', 'Service', 'Store'],
    [
      [0, 1, 'message with the value'],
      [1, 2, 'verdict, sealed, for ten minutes'],
      [1, 0, 'task that waits for payment, with the terms'],
      [0, 1, 'payment for the task, no value'],
      [1, 2, 'claim, tied to the sealed verdict'],
      [1, 1, 'settled as above'],
      [1, 0, 'task completed: artifact and receipt'],
    ],
  )
