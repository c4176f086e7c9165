import type { CheckType } from 'format-checker-checks/verdict'
import { buildRegistry } from '../../../src/catalog/registry.ts'
import type { Skill, SkillRegistry } from '../../../src/catalog/skill.ts'

/** Built once: compiling the schemas takes milliseconds. */
let registry: SkillRegistry | undefined

export function skillOf(type: CheckType): Skill {
  registry ??= buildRegistry()
  const skill = registry.get(type)
  if (skill === undefined) throw new Error(`a registry without ${type}`)
  return skill
}
