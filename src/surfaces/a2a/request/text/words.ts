/** Splits a text into words and the punctuation around them; every word keeps its place in the text. */

export interface Word {
  /** The word without the punctuation around it. */
  readonly text: string
  /** Offsets of `text`, in UTF-16 units. */
  readonly start: number
  readonly end: number
  /** Punctuation between this word and the next one; '' when only white space separates them. */
  readonly after: string
  /** The quotation this word is part of. */
  readonly quote: Quotation | undefined
}

/** Offsets of a pair of quotation marks. */
export interface Quotation {
  readonly from: number
  readonly to: number
}

const CLOSING: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["'", "'"],
  ['`', '`'],
  ['“', '”'],
  ['„', '“'],
  ['‘', '’'],
  ['«', '»'],
  ['*', '*'],
  ['(', ')'],
  ['[', ']'],
  ['<', '>'],
])
const QUOTES = new Set('"\'`“„‘«')
const SENTENCE_MARKS = new Set('.,;:?!…')
/** A word of these alone separates and says nothing. */
const SEPARATORS = /^[-–—=:>→|•*#+.,;!?…/]+$/u
/** `label:value`, `label=value`; the label is believed only when it names a type or a value. */
const LABELLED = /^([\p{L}][\p{L}_.-]*)[:=]/u
/** `check("value")`. */
const CALL = /^([\p{L}][\p{L}_]*)(?=\(.+\)[.,;:?!]*$)/u

/** Splits a text; `isLabel` says whether the part of a word before ":" or "=" is a word of its own. */
export function splitWords(text: string, isLabel: (label: string) => boolean): readonly Word[] {
  const pairs = pairMarks(text)
  const words: Word[] = []
  for (const { start, end, joint } of chunks(text, isLabel)) {
    let [from, to] = [start, end]
    while (from < to && pairs.opening.has(from)) from++
    while (to > from && (pairs.closing.has(to - 1) || SENTENCE_MARKS.has(text[to - 1] ?? ''))) to--
    const inner = text.slice(from, to)
    const after = text.slice(to, end) + joint
    if (inner === '' || SEPARATORS.test(inner)) {
      const last = words.pop()
      if (last !== undefined) words.push({ ...last, after: `${last.after}${text.slice(start, end)}${joint}` })
      continue
    }
    const last = words.at(-1)
    if (from > start && last !== undefined)
      words[words.length - 1] = { ...last, after: `${last.after}${text.slice(start, from)}` }
    words.push({ text: inner, start: from, end: to, after, quote: pairs.quoteAt(from) })
  }
  return words
}

interface Chunk {
  readonly start: number
  readonly end: number
  /** The mark a chunk was cut at. */
  readonly joint: string
}

function* chunks(text: string, isLabel: (label: string) => boolean): Generator<Chunk> {
  // White space of ASCII alone: any other is taken for a part of the value, since a check may refuse it.
  for (const { 0: raw, index } of text.matchAll(/[^ \t\r\n]+/g)) {
    const end = index + raw.length
    const label = (LABELLED.exec(raw) ?? CALL.exec(raw))?.[1]
    if (label === undefined || !isLabel(label)) {
      yield { start: index, end, joint: '' }
      continue
    }
    const cut = index + label.length
    yield { start: index, end: cut, joint: text[cut] === '(' ? '' : (text[cut] ?? '') }
    const rest = text[cut] === '(' ? cut : cut + 1
    if (rest < end) yield { start: rest, end, joint: '' }
  }
}

interface Pairs {
  readonly opening: ReadonlySet<number>
  readonly closing: ReadonlySet<number>
  quoteAt(offset: number): Quotation | undefined
}

/** Finds quotation marks and brackets that open before a word and close behind one. */
function pairMarks(text: string): Pairs {
  const closers = new Map<string, number[]>()
  for (let index = 0; index < text.length; index++) {
    const mark = text[index] ?? ''
    if (isClosing(mark) && /^[\s.,;:?!…)\]>*"'`]?$/.test(text[index + 1] ?? '')) {
      const places = closers.get(mark)
      if (places === undefined) closers.set(mark, [index])
      else places.push(index)
    }
  }
  const [opening, closing] = [new Set<number>(), new Set<number>()]
  const quotes: Quotation[] = []
  for (let index = 0; index < text.length; index++) {
    const mark = text[index] ?? ''
    const closer = CLOSING.get(mark)
    const places = closer === undefined ? undefined : closers.get(closer)
    if (places === undefined || closing.has(index)) continue
    if (index > 0 && !/[\s:=("'`*<[]/.test(text[index - 1] ?? '')) {
      if (mark !== '(' || !/\p{L}/u.test(text[index - 1] ?? '')) continue
    }
    while (places[0] !== undefined && places[0] <= index + 1) places.shift()
    const place = places.shift()
    if (place === undefined) continue
    opening.add(index)
    closing.add(place)
    if (QUOTES.has(mark)) quotes.push({ from: index, to: place })
  }
  return {
    opening,
    closing,
    quoteAt: (offset) => quotes.find(({ from, to }) => from < offset && offset < to),
  }
}

const CLOSERS = new Set(CLOSING.values())
const isClosing = (mark: string) => CLOSERS.has(mark)
