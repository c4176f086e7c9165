import { buildRegistry } from '../../../src/catalog/registry.ts'
import type { Skill } from '../../../src/catalog/skill.ts'
import type { CheckType } from '../../../src/checks/verdict.ts'

export function skillOf(type: CheckType): Skill {
  const skill = buildRegistry().get(type)
  if (skill === undefined) throw new Error(`a registry without ${type}`)
  return skill
}
