/** Takes country letters and groups of letters beside a run of digits into it. */
import type { Skill } from '../../../../skills/skill.ts'
import { type Candidate, isLetterGroup, type TextWord } from './candidates.ts'
import { LETTERS_FIRST, LETTERS_LAST, shapeOf, type ValueShape } from './value-shape.ts'

/** Widens a run to the whole value; undefined when words beside it may or may not belong to it. */
export function widen(words: readonly TextWord[], candidate: Candidate, skill: Skill): Candidate | undefined {
  if (candidate.quote !== undefined) return candidate
  const { from, to } = candidate
  const shape = shapeOf(skill)
  const start = prefixStart(words, from, shape)
  const end = suffixEnd(words, { from, to }, shape, words[start ?? from]?.text ?? '')
  return start === undefined || end === undefined ? undefined : { from: start, to: end }
}

/** Country codes that are English words too. */
const CODE_OR_WORD = /^(is|it|be|at|no|me|by|so|do|to|es|se|si|as|in|my)$/
/** Those of them whose VAT numbers begin with a letter. */
const CODE_BEFORE_LETTER = /^(at|es)$/

function prefixStart(words: readonly TextWord[], from: number, shape: ValueShape): number | undefined {
  const before = words[from - 1]
  const first = words[from]?.text ?? ''
  const isBare = /^\d/.test(first)
  if (before === undefined || before.after !== '') return from
  // "VAT no 123456789": Norway, or "number".
  if (shape.needsPrefix === true && isBare && before.compact === 'no') return undefined
  if (before.names !== undefined) return from
  const further = words[from - 2]
  const isFurther = further?.after === '' && further.names === undefined && LETTERS_FIRST.test(further.text)
  // "FR XX 123456789", "ES X 1234567 L": letters of the number itself between the country and the digits.
  if (shape.tail === 'short' && isBare && isFurther && /^[A-Z]{1,2}$/.test(before.text)) return from - 2
  if (!isCountry(before, shape)) return /^[A-Za-z]{2}$/.test(before.text) && !before.talk ? undefined : from
  const isCapital = before.text === before.text.toUpperCase()
  // "AT U13585627", "ES B12345678".
  const isLetterFirst = shape.tail === 'short' && /^[A-Za-z]\d/.test(first)
  if (!isCapital && before.talk) {
    const mayBeCode = isBare ? CODE_OR_WORD : isLetterFirst ? CODE_BEFORE_LETTER : undefined
    return mayBeCode?.test(before.compact) === true ? undefined : from
  }
  return isBare || isLetterFirst ? from - 1 : undefined
}

const isCountry = ({ text }: TextWord, { prefix }: ValueShape) => prefix?.test(text) === true

function suffixEnd(
  words: readonly TextWord[],
  { from, to }: Candidate,
  { tail, needsPrefix }: ValueShape,
  country: string,
): number | undefined {
  let end = to
  while (tail !== undefined) {
    const last = words[end]
    const next = words[end + 1]
    if (last === undefined || next === undefined || last.after !== '' || !isLetterGroup(next)) return end
    if (next.text !== next.text.toUpperCase()) return end
    // The pronoun of the next sentence.
    if (next.text === 'I' && words[end + 2]?.talk === true) return end
    if (next.talk && next.text.length > 1) return undefined
    if (
      needsPrefix === true &&
      words.slice(from, end + 1).every(({ text }) => /^\d+$/.test(text)) &&
      !hasLetters(words[from - 1])
    ) {
      return undefined
    }
    const isRegular = end > from && words.slice(from + 1, end + 1).every(({ text }) => text.length === 4)
    if (tail === 'regular' ? !isRegular : !isLastGroup(next, country)) return undefined
    end++
  }
  return end
}

/** "IE 3206488 LH" is one number; "DE 123456789 AG" is a number and a company. */
const isLastGroup = ({ text }: TextWord, country: string) => text.length <= 2 && LETTERS_LAST.test(country)

const hasLetters = (word: TextWord | undefined) =>
  word?.after === '' && word.names === undefined && /^[A-Za-z]{1,3}$/.test(word.text)
