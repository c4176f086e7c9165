import { CHECKS, PROFILES } from '../checks/checks.ts'
import type { CheckType } from '../checks/verdict.ts'
import { loadSkillFolders } from '../skills/load.ts'
import { buildRegistry } from '../skills/registry.ts'
import type { Skill, SkillRegistry } from '../skills/skill.ts'

export const loadSkills = (): SkillRegistry =>
  buildRegistry(loadSkillFolders(), { checks: CHECKS, profiles: PROFILES })

export function skillOf(type: CheckType): Skill {
  const skill = loadSkills().get(type)
  if (skill === undefined) throw new Error(`a registry without ${type}`)
  return skill
}
