import type { SeededRandom } from '../support/seeded-random.ts'
import { bend, noiseBytes } from './byte-mutations.ts'
import { CANARY, hostileText } from './hostile-values.ts'
import type { FuzzInput } from './input.ts'

export interface Draft {
  readonly kind: string
  readonly method: string
  readonly path: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body: Buffer | null
  readonly surface: FuzzInput['surface']
  readonly port?: FuzzInput['port']
  readonly host: string
}

/** Header values as a request may hold them: no controls, no letters beyond one byte. */
const asField = (text: string): string =>
  Array.from(text.slice(0, 2000), (sign) => (sign < ' ' || sign > '~' ? '%' : sign)).join('')

const NOISE_HEADERS = [
  'Accept',
  'Accept-Encoding',
  'Accept-Language',
  'Authorization',
  'Cookie',
  'Forwarded',
  'From',
  'If-None-Match',
  'If-Modified-Since',
  'Last-Event-ID',
  'Mcp-Session-Id',
  'Mcp-Protocol-Version',
  'Mcp-Method',
  'Mcp-Name',
  'A2A-Version',
  'A2A-Extensions',
  'X-A2A-Extensions',
  'Origin',
  'Payment-Signature',
  'Range',
  'Referer',
  'TE',
  'Trailer',
  'User-Agent',
  'Via',
  'X-Payment',
  'X-Forwarded-For',
  'X-Forwarded-Host',
  'X-Forwarded-Proto',
  'X-HTTP-Method-Override',
  'X-Original-URL',
  'X-Request-Id',
  CANARY,
]

/** Headers that no parser of HTTP objects to, and every reader of theirs has to bear. */
export function noiseHeaders(random: SeededRandom): [string, string][] {
  const count = random.int(3) === 0 ? 1 + random.int(5) : 0
  return Array.from({ length: count }, () => [random.pick(NOISE_HEADERS), asField(hostileText(random))])
}

/** The draft as one request that is well framed. */
export function writeFramed(draft: Draft, random: SeededRandom): FuzzInput {
  const { kind, method, surface, port = 'public', body } = draft
  const chunked = body !== null && random.int(6) === 0
  const framing =
    body === null ? [] : chunked ? ['Transfer-Encoding: chunked'] : [`Content-Length: ${body.length}`]
  const bytes = Buffer.concat([
    head(draft, framing),
    body === null ? Buffer.alloc(0) : chunked ? inChunks(body, random) : body,
  ])
  return { kind, bytes, framed: true, method, port, surface }
}

/** The draft as bytes that are no longer one good request, or that end too early. */
export function writeBroken(draft: Draft, random: SeededRandom): FuzzInput {
  const whole = writeFramed(draft, random)
  const { bytes } = whole
  const broken = (kind: string, changed: Buffer, leaves = false): FuzzInput => ({
    ...whole,
    kind,
    bytes: changed,
    framed: false,
    leaves,
  })
  const headEnd = bytes.indexOf('\r\n\r\n') + 4
  switch (random.int(8)) {
    case 0:
      return broken('bytes bent', bend(bytes, random))
    case 1:
      return broken('cut off', bytes.subarray(0, random.int(bytes.length)))
    case 2:
      return broken('left early', bytes.subarray(0, random.int(bytes.length + 1)), true)
    case 3:
      return broken('left at once', bytes, true)
    case 4:
      return broken('noise', noiseBytes(random, 600))
    case 5:
      return broken(
        'head noise',
        Buffer.concat([bytes.subarray(0, headEnd - 2), noiseBytes(random, 60), bytes.subarray(headEnd - 2)]),
      )
    case 6:
      return broken(
        'two framings',
        Buffer.concat([
          head(draft, FRAMINGS(random)),
          inChunks(draft.body ?? Buffer.from('{}'), random),
          bytes,
        ]),
      )
    default:
      return broken(
        'bad chunks',
        Buffer.concat([
          head(draft, ['Transfer-Encoding: chunked']),
          bend(inChunks(draft.body ?? Buffer.from('{}'), random), random),
        ]),
      )
  }
}

const FRAMINGS = (random: SeededRandom): string[] =>
  random.pick([
    ['Content-Length: 4', 'Transfer-Encoding: chunked'],
    ['Transfer-Encoding: chunked', 'Content-Length: 4'],
    ['Content-Length: 2', 'Content-Length: 3'],
    ['Content-Length: -1'],
    ['Content-Length: 99999999999999999999'],
    ['Content-Length: 0x4'],
    ['Content-Length: +4'],
    ['Transfer-Encoding: gzip, chunked'],
    ['Transfer-Encoding: xchunked'],
    ['Transfer-Encoding : chunked'],
    ['Transfer-Encoding:\tchunked'],
    ['Expect: 200-maybe', 'Content-Length: 4'],
    ['Upgrade: websocket', 'Connection: Upgrade', 'Content-Length: 0'],
    ['Upgrade: h2c', 'Connection: Upgrade, HTTP2-Settings', 'HTTP2-Settings: AAMAAABk', 'Content-Length: 0'],
  ])

function head({ method, path, headers, host }: Draft, framing: readonly string[]): Buffer {
  const lines = headers.map(([name, value]) => `${name}: ${value}`)
  return Buffer.from(
    [`${method} ${path} HTTP/1.1`, `Host: ${host}`, ...lines, ...framing, '', ''].join('\r\n'),
    'latin1',
  )
}

function inChunks(body: Buffer, random: SeededRandom): Buffer {
  const parts: Buffer[] = []
  for (let at = 0; at < body.length; ) {
    const part = body.subarray(at, at + 1 + random.int(random.pick([4, 64, 4096])))
    const extension = random.int(8) === 0 ? `;${CANARY}=1` : ''
    parts.push(Buffer.from(`${part.length.toString(16)}${extension}\r\n`), part, Buffer.from('\r\n'))
    at += part.length
  }
  const trailer = random.int(8) === 0 ? `X-Trailer: ${CANARY}\r\n` : ''
  return Buffer.concat([...parts, Buffer.from(`0\r\n${trailer}\r\n`)])
}
