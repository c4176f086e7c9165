import { CHECKS, PROFILES } from '../../src/checks/checks.ts'
import { loadSkillFolders } from '../../src/skills/load.ts'
import { buildRegistry } from '../../src/skills/registry.ts'
import type { Skill, SkillRegistry } from '../../src/skills/skill.ts'

const REAL = buildRegistry(loadSkillFolders(), { checks: CHECKS, profiles: PROFILES })

/** The registry the service runs with; nothing in it changes. */
export const realRegistry = (): SkillRegistry => REAL

/** The first published example of a skill. */
export function firstExample(skill: Skill) {
  const [example] = skill.examples
  if (example === undefined) throw new Error('a skill without examples')
  return example
}
