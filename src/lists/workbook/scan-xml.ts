import type { Budget } from '../budget.ts'
import { ListFault } from '../list-fault.ts'
import { textOf, type ZipPart } from './unzip.ts'

export interface XmlToken {
  readonly kind: 'open' | 'close' | 'text'
  /** The name without its prefix, or the text. */
  readonly text: string
  /** `<a/>`: no closing token follows. */
  readonly isEmpty: boolean
  readonly attributes: string
  readonly raw: string
}

const TOKEN =
  /<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<!\[CDATA\[([\s\S]*?)\]\]>|<(\/?)(?:[\w.-]+:)?([\w.-]+)((?:\s+[\w:.-]+\s*=\s*(?:"[^"]*"|'[^']*'))*)\s*(\/?)>|([^<]+)/y
/** Characters: the longest cell with each of them escaped, and more than any tag has. */
const LONGEST_TOKEN = 256 * 1024

/**
 * The tokens of a piece at a time: a turn for each would take longer than the scan. Throws {@link ListFault} for a
 * document type and for text that is not XML.
 */
export async function* scanXml(part: ZipPart): AsyncGenerator<Iterable<XmlToken>> {
  let rest = ''
  for await (const chunk of textOf(part)) {
    const text = rest + chunk
    // What begins with the last "<" may go on in the next piece.
    const piece = { text, at: 0, end: text.lastIndexOf('<'), tokens: 0 }
    yield tokensOf(piece)
    const { at, tokens } = piece
    part.budget.take('tokens', tokens)
    if (text.startsWith('<!DOCTYPE', at) || text.startsWith('<!ENTITY', at))
      throw new ListFault('the workbook declares a document type, which no program of spreadsheets does')
    rest = text.slice(at)
    if (rest.length > LONGEST_TOKEN)
      throw new ListFault('the workbook is damaged: it has a part that is no XML')
  }
  const last = /^<\/?(?:[\w.-]+:)?([\w.-]+)[^<>]*>\s*$/.exec(rest)
  if (last === null) throw new ListFault('the workbook is damaged: it has a part that is no XML')
  yield [{ kind: 'close', text: last[1] ?? '', isEmpty: false, attributes: '', raw: rest }]
}

interface Piece {
  readonly text: string
  readonly end: number
  at: number
  tokens: number
}

/** The tokens before `end`; `at` becomes the place behind the last that was read. */
function* tokensOf(piece: Piece): Generator<XmlToken> {
  while (piece.at < piece.end) {
    TOKEN.lastIndex = piece.at
    const found = TOKEN.exec(piece.text)
    if (found === null) return
    piece.at = TOKEN.lastIndex
    piece.tokens += 1
    const [raw, cdata, slash, name, attributes = '', empty, between] = found
    if (name !== undefined)
      yield { kind: slash === '/' ? 'close' : 'open', text: name, isEmpty: empty === '/', attributes, raw }
    else
      yield {
        kind: 'text',
        text: cdata ?? (between === undefined ? '' : unescapeXml(between)),
        isEmpty: false,
        attributes,
        raw,
      }
  }
}

/** Hands each token of a part to `visit`; a part that is not there has none. */
export async function visitXml(
  part: ZipPart | undefined,
  visit: (token: XmlToken, budget: Budget) => void,
): Promise<void> {
  if (part === undefined) return
  for await (const tokens of scanXml(part)) for (const token of tokens) visit(token, part.budget)
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

const unescapeXml = (text: string): string =>
  text.includes('&')
    ? text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));/gi, (whole, decimal, hex, name) => {
        if (name !== undefined) return ENTITIES[name] ?? whole
        const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
        if (!isXmlCharacter(code)) throw new ListFault('the workbook has a character that XML does not allow')
        return String.fromCodePoint(code)
      })
    : text

/** XML 1.0, section 2.2. */
const isXmlCharacter = (code: number): boolean =>
  code >= 0x20
    ? (code < 0xd800 || code > 0xdfff) && code !== 0xfffe && code !== 0xffff && code <= 0x10ffff
    : code === 0x9 || code === 0xa || code === 0xd

/** Escapes the text of an element; control characters, which XML cannot hold, become spaces. */
export const escapeXml = (text: string): string =>
  text
    .replace(/[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')

export const escapeAttribute = (text: string): string => escapeXml(text).replaceAll('"', '&quot;')

/** `name` is without its prefix. */
export function attribute({ attributes }: XmlToken, name: string): string | undefined {
  for (let at = attributes.indexOf(name); at >= 0; at = attributes.indexOf(name, at + 1)) {
    if (at > 0 && !isSpace(attributes[at - 1]) && attributes[at - 1] !== ':') continue
    const sign = skipSpaces(attributes, at + name.length)
    const quote = skipSpaces(attributes, sign + 1)
    if (attributes[sign] !== '=' || (attributes[quote] !== '"' && attributes[quote] !== "'")) continue
    return unescapeXml(attributes.slice(quote + 1, attributes.indexOf(attributes[quote], quote + 1)))
  }
  return undefined
}

const isSpace = (sign: string | undefined): boolean => sign !== undefined && sign <= ' '

function skipSpaces(text: string, from: number): number {
  let at = from
  while (isSpace(text[at])) at += 1
  return at
}
