/** Reads headings of columns word by word. The words themselves are data (`catalog/heading-words.json`). */
import { joinedWords, wordsOf } from 'format-checker-checks/internal/text/heading-words'

export interface HeadingWords {
  /** Names of many things: with other words than those below they are a heading only if the cells say so. */
  readonly generic: readonly string[]
  /** Of the file's own side, such as the account that pays. */
  readonly own: readonly string[]
  /** Of the other side, whose values are to be checked. */
  readonly partner: readonly string[]
  readonly plain: readonly string[]
  /** Words that make it no column of values, such as "amount". */
  readonly not: readonly string[]
  /** Headings that are taken instead of others beside them. */
  readonly before: Readonly<Record<string, readonly string[]>>
  /** Headings of countries, and those of the numbers that they belong to. */
  readonly countries: Readonly<Record<string, readonly string[]>>
  /** Words that make it a column of another type. */
  readonly notFor: Readonly<Record<string, readonly string[]>>
}

export interface HeadingMatch {
  readonly name: string
  /** How much it says: the name alone; beside words that say nothing; a generic name; one beside unknown words. */
  readonly strength: 'name' | 'named' | 'generic' | 'unsure'
  readonly side: 'own' | 'partner' | null
}

/** Compares headings with those of one type; the words are prepared once. */
export function createHeadingReader(type: string, headings: readonly string[], words: HeadingWords) {
  const set = (list: readonly string[] = []) => new Set(list.map(joinedWords))
  const [names, generic, own, partner, plain] = [
    new Set([...headings, joinedWords('value')]),
    set(words.generic),
    set(words.own),
    set(words.partner),
    set(words.plain),
  ]
  const foreign = set([...words.not, ...(words.notFor[type] ?? [])])
  const strong = new Set(headings.filter((name) => !generic.has(name)))
  const isKnown = (word: string) =>
    names.has(word) || own.has(word) || partner.has(word) || plain.has(word) || foreign.has(word)
  /** A compound such as "Empfängerkonto" in its two words. */
  const parts = (word: string): readonly string[] => {
    if (isKnown(word)) return [word]
    for (let at = word.length - 2; at >= 2; at -= 1) {
      const [first, last] = [word.slice(0, at), word.slice(at)]
      if (isKnown(last) && (isKnown(first) || isKnown(first.replace(/s$/, '')))) return [first, last]
    }
    return [word]
  }
  return (heading: string): HeadingMatch | null => {
    const all = wordsOf(heading)
    if (all.length > LONGEST_HEADING) return null
    const apart = all.flatMap(parts)
    const found = [strong, names].flatMap((of) => findName(all, of) ?? findName(apart, of) ?? [])[0]
    if (found === undefined) return null
    const { name, rest } = found
    const others = rest.flatMap(parts)
    if (others.some((word) => foreign.has(word)) && !names.has(all.join(''))) return null
    const isOwn = others.some((word) => own.has(word))
    const isPartner = [name, ...others].some((word) => partner.has(word))
    const side = isPartner ? 'partner' : isOwn ? 'own' : null
    const isClear = others.every((word) => plain.has(word) || own.has(word) || partner.has(word))
    const strength = generic.has(name)
      ? isClear
        ? 'generic'
        : 'unsure'
      : all.join('') === name
        ? 'name'
        : 'named'
    return { name, strength, side }
  }
}

/** Words of the longest names, and of headings that are read. */
const LONGEST_NAME = 5
const LONGEST_HEADING = 12

/** The longest run of words that is a name, and the words around it. */
function findName(words: readonly string[], names: ReadonlySet<string>) {
  for (let size = Math.min(LONGEST_NAME, words.length); size > 0; size -= 1)
    for (let at = 0; at + size <= words.length; at += 1) {
      const name = words.slice(at, at + size).join('')
      if (names.has(name)) return { name, rest: [...words.slice(0, at), ...words.slice(at + size)] }
    }
  return null
}
