import type { Skill } from './skill.ts'

/** The checks by name, for every sentence that lists them: "IBAN, EU VAT number, …, email address". */
export function checkNames(skills: readonly Pick<Skill, 'name'>[]): string {
  return skills.map(({ name }) => name).join(', ')
}
