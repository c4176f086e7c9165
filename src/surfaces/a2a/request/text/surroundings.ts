/** Whether anything outside a value could belong to it. */
import type { Skill } from '../../../../skills/skill.ts'
import type { Candidate, TextWord } from './candidates.ts'
import { isNationalName } from './keywords.ts'
import { shapeOf } from './value-shape.ts'
import { BLANK_LINE } from './words.ts'

/** True when no word, name or mark around the run could be a part of it. */
export function standsAlone(text: string, words: readonly TextWord[], run: Candidate, skill: Skill): boolean {
  return (
    hasItsPrefix(words, run, skill) &&
    (skill.id !== 'email' || isWholeAddress(words, run)) &&
    isLeftFree(words, run, skill) &&
    isRightFree(words, run, skill) &&
    !hasDoubledName(words, run) &&
    isEndClear(text, words, run)
  )
}

/** Digits whose country is named elsewhere lack just these letters: "Polish VAT number 5260250274", "Partita IVA 00743110157". */
function hasItsPrefix(words: readonly TextWord[], { from, to }: Candidate, skill: Skill): boolean {
  const first = words[from]?.text ?? ''
  // "TVA de 136695976": Germany, or "of".
  if (/^[a-z]{2}$/.test(first) && words.some(({ names, compact }) => names && isNationalName(compact)))
    return false
  if (shapeOf(skill).needsPrefix !== true || !/^\d/.test(first)) return true
  return words.every(
    ({ talk, names, core, text, compact }, index) =>
      (index >= from && index <= to) ||
      (names !== undefined && !isNationalName(compact)) ||
      core ||
      (talk && !/^(?!EU)[A-Z]{2}$/.test(text) && !COUNTRY.test(text)),
  )
}

/** Adjectives of countries that are talk beside a number without country letters. */
const COUNTRY =
  /^(polish|german|french|dutch|italian|spanish|austrian|belgian|british|czech|danish|finnish|greek|irish|swedish|norwegian|swiss|polski|polska)$/i

/**
 * False where a space may have cut an address: before "@" or another mark it begins with, or behind such a mark, as in
 * "info. test@example.com". Every word may be a part of one, talk and the name of the type too: "info @example.com". The
 * colon marks a label.
 */
function isWholeAddress(words: readonly TextWord[], { from, to }: Candidate): boolean {
  const [before, first, last, after] = [words[from - 1], words[from], words[to], words[to + 1]]
  if (before !== undefined && (ENDS_CUT.test(before.text) || BEGINS_CUT.test(first?.text ?? ''))) {
    if (before.names === undefined || before.after === '') return false
  }
  if (before?.after === '.' && before.names === undefined) return false
  return after === undefined || !(ENDS_CUT.test(last?.text ?? '') || BEGINS_CUT.test(after.text))
}

const BEGINS_CUT = /^[^\p{L}\p{N}]/u
const ENDS_CUT = /[^\p{L}\p{N}]$/u

function isLeftFree(words: readonly TextWord[], { from }: Candidate, skill: Skill): boolean {
  const before = words[from - 1]
  if (before === undefined || before.names !== undefined) return true
  if (skill.id === 'email') return before.talk && before.text.length > 1
  if (before.after === BLANK_LINE) return true
  return before.talk || isFarWord(before)
}

function isRightFree(words: readonly TextWord[], { to, quote }: Candidate, skill: Skill): boolean {
  const last = words[to]
  const after = words[to + 1]
  if (last === undefined || after === undefined) return true
  // A full stop that ends no sentence may be the value's own.
  if (
    quote === undefined &&
    last.after.startsWith('.') &&
    (last.after.length > 1 || !/^\p{Lu}/u.test(after.text))
  ) {
    return false
  }
  if (last.after.startsWith('.') && after.names !== undefined) return false
  if (after.names !== undefined || after.talk) {
    return after.text !== 'A' && (after.text.length > 1 || words[to + 2] !== undefined)
  }
  if (last.after !== '') return skill.id !== 'email' || !/:$/.test(after.after)
  if (skill.id === 'email') return false
  return isFarWord(after)
}

/** An unknown word that cannot be a group of a number: five letters or more, or set apart by punctuation. */
function isFarWord({ text, after, core }: TextWord): boolean {
  if (core) return false
  if (!/^[\p{L}'’-]+$/u.test(text)) return false
  return text.length >= 5 || (text.length >= 3 && /[:,;.!?)]/.test(after))
}

/** "validate IBAN IBAN DE89…": the second name may be meant as a part of the value. */
function hasDoubledName(words: readonly TextWord[], { from, to }: Candidate): boolean {
  const label = new Set<number>()
  let start = from
  for (; start > 0; start--) {
    const word = words[start - 1]
    if (word?.nameAt === undefined && !isSuffix(word)) break
    if (word?.nameAt !== undefined) label.add(word.nameAt)
  }
  if (label.size === 0) return false
  const before = words.slice(0, start)
  const sentence = before.slice(before.findLastIndex(endsSentence) + 1)
  const after = endsSentence(words[to]) ? [] : words.slice(to + 1)
  const end = after.findIndex(endsSentence)
  const others = [...sentence, ...(end < 0 ? after : after.slice(0, end + 1))]
  return label.size > 1 || others.some(({ nameAt }) => nameAt !== undefined)
}

const endsSentence = (word: TextWord | undefined) =>
  word !== undefined && /[.?!]/.test(word.after) && !isSuffix(word)

function isSuffix(word: TextWord | undefined): boolean {
  return (
    word !== undefined &&
    /^(number|numbers|no|nr|id|code|num|reg|address|nummer|numer|registration|identification|account|european|ue|eu)$/.test(
      word.compact,
    )
  )
}

/** A full stop behind the last word is the sentence's, if there is a sentence. */
function isEndClear(text: string, words: readonly TextWord[], { from, to, quote }: Candidate): boolean {
  if (quote !== undefined) return true
  const last = words[to]
  if (last === undefined || to < words.length - 1 || !last.after.startsWith('.')) return true
  const first = words[0]
  const others = words.length - (to - from + 1)
  return others >= 4 || (from > 0 && first?.names === undefined && /^\p{Lu}/u.test(text.trimStart()))
}
