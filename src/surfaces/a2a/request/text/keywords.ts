import type { Skill, SkillRegistry } from '../../../../catalog/skill.ts'

/** "l'IBAN". */
const ELISION = /^[ld]['’]/i

/** The most words of a name: "International Bank Account Number". */
const LONGEST_NAME = 4

export interface Keywords {
  of(word: string): Skill | undefined
  /** Finds the longest name that begins at `index`; `length` in words. */
  at(words: readonly string[], index: number): { readonly skill: Skill; readonly length: number } | undefined
}

export function keywords(registry: SkillRegistry): Keywords {
  const named = new Map<string, Skill>()
  for (const skill of registry.all) {
    const names = [skill.id, skill.operationId, ...skill.aliases, ...skill.orders]
    for (const name of names) named.set(compact(name), skill)
  }
  const of = (word: string) => named.get(compact(word.replace(ELISION, '')))
  return {
    of,
    at(words, index) {
      for (let length = LONGEST_NAME; length > 0; length--) {
        const parts = words.slice(index, index + length)
        // "email a" is not the inflected "emaila".
        if (parts.some((part) => compact(part).length < 2)) continue
        const skill = of(parts.join(''))
        if (skill !== undefined) return { skill, length: parts.length }
      }
      return undefined
    },
  }
}

/** The form in which names are compared: "E-mail" is "email". */
export function compact(word: string): string {
  return word.toLowerCase().replace(/[\s_.’'–#-]/gu, '')
}
