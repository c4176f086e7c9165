import { buildRegistry } from '../../src/catalog/registry.ts'
import type { Skill, SkillRegistry } from '../../src/catalog/skill.ts'

const REAL = buildRegistry()

/** The registry the service runs with; nothing in it changes. */
export const realRegistry = (): SkillRegistry => REAL

/** The first published example of a skill. */
export function firstExample(skill: Skill) {
  const [example] = skill.examples
  if (example === undefined) throw new Error('a skill without examples')
  return example
}
