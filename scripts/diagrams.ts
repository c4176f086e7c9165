/** Drawings of the documents as SVG: the life of an order, the layers, and a single payment beside a channel. */
import { PAYMENT_STATES } from '../src/ledger/payments/payment-row.ts'
import { escaped, STYLE } from './chart.ts'
import { amountOf, whole } from './recorded-figures.ts'

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

const LEFT_COLUMN = { x: 1, width: 158 }
const RIGHT_COLUMN = { x: 219, width: 140 }
const STEP = 86

/** What happens to an order, from top to bottom on the left; on the right what else can become of it. */
const LIFE: readonly (readonly [
  column: typeof LEFT_COLUMN,
  row: number,
  lines: readonly string[],
  kind?: 'end',
])[] = [
  [LEFT_COLUMN, 0, ['terms', '402, nothing is kept']],
  [LEFT_COLUMN, 1, ['payment', 'a signed authorization']],
  [LEFT_COLUMN, 2, ['claim on disk', 'claimed, then settling']],
  [LEFT_COLUMN, 3, ['settlement', 'sent once']],
  [LEFT_COLUMN, 4, ['answer', 'settled: verdict, receipt'], 'end'],
  [LEFT_COLUMN, 5, ['replayed', 'the same answer, free'], 'end'],
  [RIGHT_COLUMN, 1, ['refused', '402, not charged'], 'end'],
  [RIGHT_COLUMN, 3, ['in_doubt', '503 until known']],
  [RIGHT_COLUMN, 4.75, ['void', 'never charged'], 'end'],
]

const sideways = (from: number, to: number, y: number) =>
  `<path class="line" d="M${from} ${y}H${to - 5}"/><path class="tip" d="M${to} ${y}l-7 -4v8z"/>`
const slanted = (x: number, y: number, toX: number, toY: number) => {
  const angle = (Math.atan2(toY - y, toX - x) * 180) / Math.PI
  return `<path class="line" d="M${x} ${y}L${toX} ${toY}"/><path class="tip" transform="translate(${toX} ${toY}) rotate(${Math.round(angle)})" d="M0 0l-7 -4v8z"/>`
}
const words = (x: number, y: number, text: string) =>
  `<text class="q" x="${x}" y="${y}">${escaped(text)}</text>`

/** The life of an order, with words on each way; every stored state is in it. */
export function lifeDrawing(): string {
  const top = (row: number) => 2 + row * STEP
  const boxes = LIFE.map(([column, row, lines, kind]) =>
    box({ ...column, y: top(row), lines, ...(kind === undefined ? {} : { kind }) }),
  )
  const told = LIFE.flatMap(([, , lines]) => lines).join(' ')
  const untold = PAYMENT_STATES.filter((state) => !told.includes(state))
  if (untold.length > 0) throw new Error(`the life of an order does not tell of ${untold.join(', ')}`)
  const onTheWay = [
    'the buyer signs',
    'the check runs first',
    'handed over',
    'the transfer is made',
    'lost: repeat it',
  ]
  const middle = LEFT_COLUMN.x + 40
  const ways = onTheWay.flatMap((text, row) => [
    down(middle, top(row) + 42, top(row + 1)),
    words(middle + 10, top(row) + 68, text),
  ])
  const [edge, start] = [LEFT_COLUMN.x + LEFT_COLUMN.width, RIGHT_COLUMN.x]
  const asides = [
    sideways(edge, start, top(1) + 21),
    words(edge + 6, top(1) + 15, 'unfit'),
    slanted(edge, top(2) + 30, start, top(3) + 8),
    words(edge + 18, top(2) + 30, 'the process dies'),
    sideways(edge, start, top(3) + 24),
    words(edge + 6, top(3) + 38, 'no reply'),
    slanted(start, top(3) + 36, edge, top(4) + 16),
    words(edge + 40, top(4) + 8, 'paid'),
    down(RIGHT_COLUMN.x + 70, top(3) + 42, top(4.75)),
    words(RIGHT_COLUMN.x + 80, top(4) + 10, 'not paid'),
  ]
  const alternative =
    'The life of an order: terms, payment, claim on disk, settlement, answer. A payment that does not fit is refused. A settlement without a reply, or a process that dies, leaves it in doubt; the chain shows it paid, and it is answered, or void. A lost answer is replayed.'
  return drawing(top(5) + 46, alternative, [...ways, ...asides, ...boxes])
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
export function waysToPayDrawing(): string {
  const gas = (name: string) => amountOf('channel-gas', name)
  const said = (amount: number) => `${whole(amount)} gas`
  const single = amountOf('settlement-gas', '1, deployed')
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
