/** JSON that every program reads alike: no member twice, whole numbers alone, well-formed Unicode (docs/receipts.md, "Grammar"). */

/** The text is not of the grammar; the message is the end of a sentence and quotes nothing. */
export class JsonFault extends Error {
  override readonly name = 'JsonFault'
}

const DEEPEST = 64
/** JSON of small parts takes thirty times its size in memory. A statement of a million values has some four million tokens. */
const MOST_TOKENS = 16_000_000
const INTEGER = /^(?:0|-?[1-9]\d{0,15})$/

/** Parses UTF-8 without a byte order mark. Throws {@link JsonFault}. */
export function parseStrict(bytes: Uint8Array): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    let count = 0
    walk(text, (token, depth, repeated) => {
      count += 1
      if (count > MOST_TOKENS) throw new JsonFault('has too many parts')
      if (depth > DEEPEST) throw new JsonFault(`has more than ${DEEPEST} levels`)
      if (repeated !== null) throw new JsonFault('has a member twice')
      if (token.startsWith('"') && token.includes('\\u') && !String(JSON.parse(token)).isWellFormed())
        throw new JsonFault('has half a character')
      if (/^[-\d]/.test(token) && !(INTEGER.test(token) && Number.isSafeInteger(Number(token))))
        throw new JsonFault('has a number that is not a whole one of at most 53 bits')
    })
    return JSON.parse(text)
  } catch (error) {
    if (error instanceof JsonFault) throw error
    throw new JsonFault('is not JSON in UTF-8 without a byte order mark')
  }
}

/** The names of members that the outermost object of a JSON text has more than once. */
export function repeatedMembers(text: string): ReadonlySet<string> {
  const found = new Set<string>()
  walk(text, (_, depth, repeated) => {
    if (repeated !== null && depth === 1) found.add(repeated)
  })
  return found
}

const SPACE = ' \t\r\n'
const ENDS = `${SPACE}{}[]:,"`

/**
 * What is not JSON is left to the parser. `depth` counts the objects and arrays around a token, with the one that it
 * opens. `repeated` is the name of a member, at its ":", that its object has already.
 */
function walk(text: string, show: (token: string, depth: number, repeated: string | null) => void): void {
  const open: Set<string>[] = []
  let last = ''
  for (let at = 0, end = 0; at < text.length; at = end) {
    end = endOfToken(text, at)
    const token = text.slice(at, end)
    if (SPACE.includes(token)) continue
    if (token === '{' || token === '[') open.push(new Set())
    const name = token === ':' ? String(JSON.parse(last)) : null
    const names = open.at(-1)
    show(token, open.length, name !== null && names?.has(name) === true ? name : null)
    if (name !== null) names?.add(name)
    if (token === '}' || token === ']') open.pop()
    last = token
  }
}

function endOfToken(text: string, start: number): number {
  const sign = text[start] ?? ''
  let end = start + 1
  if (sign === '"') {
    while (end < text.length && text[end] !== '"') end += text[end] === '\\' ? 2 : 1
    return Math.min(end + 1, text.length)
  }
  if (ENDS.includes(sign)) return end
  while (end < text.length && !ENDS.includes(text[end] ?? '')) end += 1
  return end
}
