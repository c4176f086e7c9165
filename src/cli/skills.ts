import type { CheckType } from '../checks/verdict.ts'
import { buildRegistry } from '../skills/registry.ts'
import type { Skill } from '../skills/skill.ts'

export function skillOf(type: CheckType): Skill {
  const skill = buildRegistry().get(type)
  if (skill === undefined) throw new Error(`a registry without ${type}`)
  return skill
}
