import type { Skill, SkillRegistry } from '../../../catalog/skill.ts'

/** The most words of a name: "International Bank Account Number". */
const LONGEST_NAME = 4

export interface Keywords {
  of(word: string): Skill | undefined
  /** `length` in words. */
  at(words: readonly string[], index: number): { readonly skill: Skill; readonly length: number } | undefined
}

export function keywords(registry: SkillRegistry): Keywords {
  const named = new Map<string, Skill>()
  for (const skill of registry.all) {
    const names = [skill.id, skill.operationId, ...skill.aliases, ...skill.orders]
    for (const name of names) named.set(compact(name), skill)
  }
  return {
    of: (word) => named.get(compact(word)),
    at(words, index) {
      for (let length = LONGEST_NAME; length > 0; length--) {
        const parts = words.slice(index, index + length)
        // "email a" is not the inflected "emaila".
        if (compact(parts.at(-1) ?? '').length < 2) continue
        const skill = named.get(compact(parts.join('')))
        if (skill !== undefined) return { skill, length: parts.length }
      }
      return undefined
    },
  }
}

/** The form in which names are compared: "E-mail" is "email". */
const compact = (word: string): string => word.toLowerCase().replace(/[\s_.’'–#-]/gu, '')
