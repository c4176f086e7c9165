export interface Quotation {
  readonly from: number
  readonly to: number
}

const pairsOf = (list: string): ReadonlyMap<string, string> =>
  new Map(list.split(' ').map((marks) => [marks.charAt(0), marks.slice(1)]))

/** Each opening mark, followed by those that may close it: languages and keyboards differ. */
const QUOTES = pairsOf(
  `"" '' \`\`´ ´´ “”“" „“”" ”” ‘’' ‚‘’' ’’ «» »«» ‹› ›‹› 「」 『』 ｢｣ 〝〞〟 ＂＂ ＇＇ ❝❞ ❛❜`,
)
const BRACKETS = pairsOf('** () [] <>')
const CLOSING = new Map([...QUOTES, ...BRACKETS])

const QUOTE_OPENERS = [...QUOTES.keys()].join('')
const QUOTE_CLOSERS = [...QUOTES.values()].join('')
const CLOSERS = new Set([...CLOSING.values()].join(''))
/** What may be before an opening mark, and behind a closing one. */
const BEFORE_OPENING = new RegExp(`[\\s:=(*<[${QUOTE_OPENERS}]`)
const BEHIND_CLOSING = new RegExp(`^[\\s.,;:?!…)\\]>*${QUOTE_CLOSERS}]?$`)

export interface Pairs {
  readonly opening: ReadonlySet<number>
  readonly closing: ReadonlySet<number>
  /** The outermost quotation around an offset. */
  quoteAt(offset: number): Quotation | undefined
}

/** Finds the quotation marks and brackets that open before a word and close behind one. */
export function pairMarks(text: string): Pairs {
  const closers = closingPlaces(text)
  const [opening, closing] = [new Set<number>(), new Set<number>()]
  const quotes: Quotation[] = []
  for (let index = 0; index < text.length; index++) {
    const mark = text[index] ?? ''
    const marks = CLOSING.get(mark)
    if (marks === undefined || closing.has(index)) continue
    if (index > 0 && !BEFORE_OPENING.test(text[index - 1] ?? '')) {
      if (mark !== '(' || !/\p{L}/u.test(text[index - 1] ?? '')) continue
    }
    const place = takeFirst(closers, marks, index + 1)
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

/** Returns the places at which each mark may close, in the order of the text. */
function closingPlaces(text: string): ReadonlyMap<string, number[]> {
  const closers = new Map<string, number[]>()
  for (let index = 0; index < text.length; index++) {
    const mark = text[index] ?? ''
    if (!CLOSERS.has(mark) || !BEHIND_CLOSING.test(text[index + 1] ?? '')) continue
    const places = closers.get(mark)
    if (places === undefined) closers.set(mark, [index])
    else places.push(index)
  }
  return closers
}

/** Removes and returns the first place behind `after` of one of the marks. */
function takeFirst(closers: ReadonlyMap<string, number[]>, marks: string, after: number): number | undefined {
  let first: number[] | undefined
  for (const mark of marks) {
    const places = closers.get(mark)
    while (places?.[0] !== undefined && places[0] <= after) places.shift()
    if (places?.[0] !== undefined && places[0] < (first?.[0] ?? Number.POSITIVE_INFINITY)) first = places
  }
  return first?.shift()
}
