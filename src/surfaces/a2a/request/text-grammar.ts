/**
 * Finds an order in running text, without guessing: a keyword and one token, or one token of a shape that only
 * one type has. A token is a word with a digit or an "@"; all other words are talk. Bare digits are never guessed: ten are a NIP, nine or fourteen a REGON, eleven a PESEL, and any
 * of them may be a misprint of another.
 */
import type { Skill, SkillRegistry } from '../../../skills/skill.ts'

export interface TextOrder {
  readonly skill: Skill
  readonly value: string
}

/** Reads a text as an order; undefined when it is none, or more than one. */
export function readTextOrder(text: string, registry: SkillRegistry): TextOrder | undefined {
  // Broken JSON is somebody's data part, not a sentence.
  if (text.trimStart().startsWith('{')) return undefined
  const words = text.split(/\s+/).map(bare)
  const named = new Set(words.flatMap((word) => registry.resolve(word) ?? []))
  const tokens = words.filter((word) => /[\d@]/.test(word))
  const [value] = tokens
  if (value === undefined || tokens.length > 1 || named.size > 1) return undefined
  const [skill = registry.get(shapeOf(value) ?? '')] = named
  return skill === undefined ? undefined : { skill, value }
}

function shapeOf(token: string): 'email' | 'iban' | undefined {
  if (token.includes('@')) return 'email'
  return /^[A-Za-z]{2}\d{2}[A-Za-z0-9]{11,}$/.test(token) ? 'iban' : undefined
}

/** A word without the punctuation of the sentence around it. */
function bare(word: string): string {
  return word.replace(/^["'`(<[]{1,4}/, '').replace(/["'`)>\]?!.,;:]{1,4}$/, '')
}
