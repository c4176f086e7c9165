import type { Skill } from './skill.ts'

export function checkNames(skills: readonly Skill[]): string {
  return skills.map(({ name }) => name).join(', ')
}
