/** Words that name a check: the ids, aliases and `words.orders` of every skill. */
import type { Skill, SkillRegistry } from '../../../../skills/skill.ts'

/** "l'IBAN". */
const ELISION = /^[ld]['’]/i

/** Words of one name at most, as in "International Bank Account Number". */
const LONGEST_NAME = 4

export interface Keywords {
  of(word: string): Skill | undefined
  /** The skill that the words from `index` on name together, and how many words that takes. */
  at(words: readonly string[], index: number): { readonly skill: Skill; readonly length: number } | undefined
}

export function keywords(registry: SkillRegistry): Keywords {
  const named = new Map<string, Skill>()
  for (const skill of registry.all) {
    const names = [skill.id, skill.operationId, ...skill.aliases, ...skill.words.orders]
    for (const name of names) named.set(compact(name), skill)
  }
  const of = (word: string) => named.get(compact(word.replace(ELISION, '')))
  return {
    of,
    at(words, index) {
      for (let length = Math.min(LONGEST_NAME, words.length - index); length > 0; length--) {
        const parts = words.slice(index, index + length)
        // "email a" is not the inflected "emaila".
        if (length > 1 && parts.some((part) => compact(part).length < 2)) continue
        const skill = of(parts.join(''))
        if (skill !== undefined) return { skill, length }
      }
      return undefined
    },
  }
}

/** A word in the spelling that names are compared in. */
export function compact(word: string): string {
  return word.toLowerCase().replace(/[\s_.’'–#-]/gu, '')
}
