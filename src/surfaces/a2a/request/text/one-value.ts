/** Whether a run of words is one value of its type: by its outline, never by its validity. */
import type { Skill } from '../../../../skills/skill.ts'
import type { Candidate, TextWord } from './candidates.ts'
import { shapeOf, sizeOf } from './value-shape.ts'

/** True when the words of a run are one value and not two, or one with something beside it. */
export function isOneValue(
  words: readonly TextWord[],
  { from, to, quote }: Candidate,
  skill: Skill,
): boolean {
  const inside = words.slice(from, to + 1).map(({ text }) => text)
  const [first = '', ...rest] = inside
  const last = inside.at(-1) ?? ''
  if (skill.id !== 'email' && /[^@\s]@[^@\s]+\.[a-z]/i.test(first)) return false
  if (inside.some((word) => isList(word, skill)) || /['’]s$/.test(last)) return false
  if (quote !== undefined) return true
  if (rest.length === 0) return skill.id !== 'email' || !isRunIntoSentence(first)
  return isGroupedValue(words, { from, to }, inside, skill)
}

function isGroupedValue(
  words: readonly TextWord[],
  { from, to }: Candidate,
  inside: readonly string[],
  skill: Skill,
): boolean {
  const { prefix, sizes, cut } = shapeOf(skill)
  // A second word that begins like an IBAN is another value.
  if (inside.slice(1).some((word) => /^[A-Za-z]{2}\d{2}[A-Za-z0-9]{8,}$/.test(word))) return false
  const groups = prefix?.test(inside[0] ?? '') === true ? inside.slice(1) : inside
  if (cut?.(groups) === false) return false
  const size = groups.reduce((sum, group) => sum + sizeOf(group), 0)
  if (sizes.includes(size)) return true
  // A group too few, and nothing behind it that could be the rest.
  const isShort = groups.every((group) => sizeOf(group) <= 5) && size < (sizes[0] ?? 0)
  return isShort && (words[to + 1] === undefined || words[to]?.after !== '') && from > 0
}

/** "A,B", "A/B", "A;B": two values in one word. */
function isList(word: string, skill: Skill): boolean {
  if (skill.id === 'email') return /@[^@]*[,;/|][^@]*@/.test(word)
  return word.split(/[,;/|+]/).filter((part) => sizeOf(part) >= 8).length > 1
}

/** "a@b.co.Please": a full stop without a space behind it. */
function isRunIntoSentence(word: string): boolean {
  return /@[^A-Z]+\.[A-Z][a-z]+$/.test(word)
}
