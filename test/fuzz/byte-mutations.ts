import { deflateSync, gzipSync } from 'node:zlib'
import type { SeededRandom } from '../support/seeded-random.ts'
import { CANARY } from './hostile-values.ts'

/** JSON as text, sometimes in a spelling that parsers disagree about. */
export function spellJson(document: unknown, random: SeededRandom): string {
  const text = JSON.stringify(document) ?? ''
  switch (random.int(12)) {
    case 0:
      return `\ufeff${text}`
    case 1:
      return `${text}${random.pick([',', '}', '\u0000', ' null', text, CANARY])}`
    case 2:
      return text.replace(/^\{/, `{"value":"${CANARY}","id":null,"method":"x",`)
    case 3:
      return text.replace(/"/g, random.pick(["'", '"', '\\"']))
    case 4:
      return text.replace(/[a-z]/g, (letter) =>
        random.int(4) === 0 ? `\\u00${letter.charCodeAt(0).toString(16)}` : letter,
      )
    case 5:
      return text.replaceAll(':', random.pick([' : ', ':\t', ':\u00a0', ':/**/', ':NaN,"x":', ':-']))
    case 6:
      return text.slice(0, random.int(text.length + 1))
    case 7:
      return `${random.pick(['[', '{"a":', '"'])}`.repeat(1 + random.int(2000)) + text
    default:
      return text
  }
}

/** The same text in bytes, mostly UTF-8. */
export function encodeText(text: string, random: SeededRandom): Buffer {
  switch (random.int(24)) {
    case 0:
      return Buffer.from(text, 'utf16le')
    case 1:
      return Buffer.from(text, 'latin1')
    case 2:
      return gzipSync(text)
    case 3:
      return deflateSync(text)
    case 4:
      return Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text)])
    case 5:
      return bend(Buffer.from(text), random)
    default:
      return Buffer.from(text)
  }
}

const OVERLONG = [[0xc0, 0xaf], [0xe0, 0x80, 0xaf], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xff], [0]]

/** Bytes with a few of them flipped, dropped, doubled or put in. */
export function bend(bytes: Buffer, random: SeededRandom): Buffer {
  let bent = Buffer.from(bytes)
  for (let left = 1 + random.int(5); left > 0; left--) {
    const at = random.int(bent.length + 1)
    const until = Math.min(bent.length, at + 1 + random.int(16))
    const [head, tail] = [bent.subarray(0, at), bent.subarray(until)]
    switch (random.int(4)) {
      case 0:
        if (at < bent.length) bent[at] = (bent[at] ?? 0) ^ (1 << random.int(8))
        break
      case 1:
        bent = Buffer.concat([head, tail])
        break
      case 2:
        bent = Buffer.concat([head, bent.subarray(at, until), bent.subarray(at, until), tail])
        break
      default:
        bent = Buffer.concat([head, Buffer.from(random.pick(OVERLONG)), tail])
    }
  }
  return bent
}

/** Nothing but bytes. */
export const noiseBytes = (random: SeededRandom, most: number): Buffer =>
  Buffer.from(Array.from({ length: random.int(most + 1) }, () => random.int(256)))
