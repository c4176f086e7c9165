import { scanXml, type XmlToken } from './scan-xml.ts'
import type { ZipPart } from './unzip.ts'

export async function* rewriteXml(
  part: ZipPart,
  written: (token: XmlToken) => string,
): AsyncGenerator<string> {
  for await (const tokens of scanXml(part))
    yield Array.from(tokens, (token) => inUtf8(token) ?? written(token)).join('')
}

/** The declaration of a part, which is written in UTF-8 whatever it was read from. */
const inUtf8 = ({ raw }: XmlToken): string | null =>
  raw.startsWith('<?xml') ? raw.replace(/(\sencoding\s*=\s*["'])[^"']*/, '$1UTF-8') : null

export const prefixOf = ({ raw }: XmlToken): string => /^<\/?([\w.-]+:)?/.exec(raw)?.[1] ?? ''

/** The closing tag of an element with more in front of it; an empty element is opened for it. */
export function closedBehind(token: XmlToken, more: (prefix: string) => string): string {
  const prefix = prefixOf(token)
  return token.raw.endsWith('/>')
    ? `${token.raw.slice(0, -2)}>${more(prefix)}</${prefix}${token.text}>`
    : more(prefix) + token.raw
}

/** True for the end of an element, also of an empty one. */
export const isEndOf = (token: XmlToken, name: string): boolean =>
  token.text === name && (token.kind === 'close' || token.isEmpty)

/** The tag with another value of an attribute that it has; `name` is without its prefix. */
export const withAttribute = (raw: string, name: string, change: (value: string) => string): string =>
  raw.replace(
    new RegExp(`(\\s${name}\\s*=\\s*)(["'])([^"']*)\\2`),
    (_, begin, quote, value) => `${begin}${quote}${change(value)}${quote}`,
  )
