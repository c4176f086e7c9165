import { ListFault } from '../list-fault.ts'

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
/** Characters; tags of workbooks are short. */
const LONGEST_TOKEN = 1024 * 1024

/** Scans XML as office programs write it. Throws {@link ListFault} for a document type and for text that is not XML. */
export async function* scanXml(chunks: AsyncIterable<string>): AsyncGenerator<XmlToken> {
  let rest = ''
  for await (const chunk of chunks) {
    const text = rest + chunk
    // What begins with the last "<" may go on in the next piece.
    const end = text.lastIndexOf('<')
    let at = 0
    while (at < end) {
      TOKEN.lastIndex = at
      const found = TOKEN.exec(text)
      if (found === null) break
      at = TOKEN.lastIndex
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
    if (text.startsWith('<!DOCTYPE', at) || text.startsWith('<!ENTITY', at))
      throw new ListFault('the workbook declares a document type, which no program of spreadsheets does')
    rest = text.slice(at)
    if (rest.length > LONGEST_TOKEN)
      throw new ListFault('the workbook is damaged: it has a part that is no XML')
  }
  const last = /^<\/?(?:[\w.-]+:)?([\w.-]+)[^<>]*>\s*$/.exec(rest)
  if (last === null) throw new ListFault('the workbook is damaged: it has a part that is no XML')
  yield { kind: 'close', text: last[1] ?? '', isEmpty: false, attributes: '', raw: rest }
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

const unescapeXml = (text: string): string =>
  text.includes('&')
    ? text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));/gi, (whole, decimal, hex, name) => {
        if (name !== undefined) return ENTITIES[name] ?? whole
        const code = decimal === undefined ? Number.parseInt(hex, 16) : Number(decimal)
        return code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code)
      })
    : text

/** Escapes the text of an element; control characters, which XML cannot hold, become spaces. */
export const escapeXml = (text: string): string =>
  text
    .replace(/[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')

/** `name` is without its prefix. */
export function attribute({ attributes }: XmlToken, name: string): string | undefined {
  if (attributes === '') return undefined
  const found = new RegExp(`(?:^|[\\s:])${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)')`).exec(attributes)
  const value = found?.[1] ?? found?.[2]
  return value === undefined ? undefined : unescapeXml(value)
}
