import type { Skill } from './skill.ts'

/** For a sentence: "IBAN, EU VAT number, …, email address". */
export function checkNames(skills: readonly Skill[]): string {
  return skills.map(({ name }) => name).join(', ')
}
